#!/usr/bin/env bash
# Run a command inside a Debian root of another processor, by user-mode emulation (binfmt_misc).
#
#   in_root.sh ROOT [--bind DIR]... -- COMMAND...
#
# Each DIR is seen inside under its own path, so a path means the same inside and outside. The environment is empty but
# for PATH, HOME, LANG and what is given as `env NAME=VALUE` in the command; QEMU_CPU goes along (which processor to be).
# All mounts live in a namespace of this command: they are gone when it ends, however it ends.
set -euo pipefail

if [ "${1:-}" = --inside ]; then
  shift
  root=$1
  shift
  while [ "$1" = --bind ]; do
    mkdir -p "$root$2"
    mount --bind "$2" "$root$2"
    shift 2
  done
  shift # --
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 ${QEMU_CPU:+QEMU_CPU="$QEMU_CPU"} \
    chroot "$root" "$@"
fi
exec unshare --mount --propagation private --pid --fork --kill-child -- bash "$0" --inside "$@"
