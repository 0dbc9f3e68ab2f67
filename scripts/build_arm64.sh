#!/usr/bin/env bash
# Make dist/almanac-aarch64 (Raspberry Pi 4 and 5, other 64-bit ARM with glibc) on an x86-64 Debian 12 machine.
#
#   sudo scripts/build_arm64.sh [--no-install] [--only STEP] [--mirror URL]
#
# Steps; the first four are skipped when their result is there, so a run that was stopped goes on where it was:
#   tools      Debian packages: cross compiler, debootstrap, qemu-user-static
#   llama      llama.cpp with all CPU variants that the cross compiler knows   -> ~/.cache/almanac/llama/
#   packages   Python packages for aarch64, by hash                            -> ~/.cache/almanac/aarch64/site/
#   root       an arm64 Debian 12 by debootstrap                               -> ~/.cache/almanac/aarch64/root-bookworm/
#   file       PyInstaller inside that root, then the file is put together     -> dist/almanac-aarch64
#   try        self-test and one question as Cortex-A72 (Pi 4) and Cortex-A76 (Pi 5), by emulation
#
# Needs root (mounts, chroot). Mounts live in namespaces and end with the command that needs them; binfmt_misc and the
# handler registered in it are taken away at the end if they were not there before. Needs 4 GB of disk.
set -euo pipefail
cd "$(dirname "$0")/.."
project=$PWD
python=${PYTHON:-.venv/bin/python}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/almanac
root=$cache/aarch64/root-bookworm
output=$project/dist/almanac-aarch64
mirror=http://deb.debian.org/debian
only=
install=yes
steps="tools llama packages root file try"
started=$SECONDS

die() {
  echo "build_arm64: $*" >&2
  exit 1
}
say() { printf '[%4d s] %s\n' "$((SECONDS - started))" "$*" >&2; }
usage() { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" | sed '$d'; }

while [ $# -gt 0 ]; do
  case $1 in
    --no-install) install=no ;;
    --only) only=${2:?--only needs a step}; shift ;;
    --mirror) mirror=${2:?--mirror needs an address}; shift ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done
[ -z "$only" ] || [[ " $steps " == *" $only "* ]] || { echo "build_arm64: no step «$only»: $steps" >&2; exit 2; }
[ "$(uname -s)" = Linux ] || die "needs Linux"
[ "$(id -u)" = 0 ] || die "needs root for mounts and chroot: sudo $0"
[ -x "$python" ] || die "$python is missing: run make test once, or set PYTHON"

mkdir -p "$cache/aarch64"
exec 9>"$cache/aarch64/build.lock"
flock -n 9 || die "another build_arm64 is running"

mounted= registered=
finish() {
  [ -z "$registered" ] || echo -1 >/proc/sys/fs/binfmt_misc/almanac-aarch64 || true
  [ -z "$mounted" ] || umount /proc/sys/fs/binfmt_misc || true
}
trap finish EXIT
trap 'say "stopped; what is complete is kept, run it again to go on"; exit 130' INT TERM HUP

step_tools() {
  local need=() pair
  for pair in aarch64-linux-gnu-g++:g++-aarch64-linux-gnu debootstrap:debootstrap qemu-aarch64-static:qemu-user-static \
    cmake:cmake git:git unshare:util-linux; do
    command -v "${pair%%:*}" >/dev/null || need+=("${pair##*:}")
  done
  [ "${#need[@]}" -gt 0 ] || return 0
  [ "$install" = yes ] || die "missing packages: apt install ${need[*]}"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${need[@]}" >/dev/null
}

step_llama() { "$python" scripts/build_llama.py --arch aarch64 --variants all >/dev/null; }

step_packages() { site=$("$python" scripts/cross_packages.py --arch aarch64); }

# The kernel hands ARM programs to qemu. F opens qemu now, so that it needs not lie inside the root; P keeps argv[0].
emulation() {
  local folder=/proc/sys/fs/binfmt_misc magic mask
  if [ ! -e $folder/register ]; then
    mount -t binfmt_misc binfmt_misc $folder || die "binfmt_misc cannot be mounted here"
    mounted=yes
  fi
  if grep -qs '^flags:.*P.*F\|^flags:.*F.*P' $folder/qemu-aarch64 $folder/almanac-aarch64; then return 0; fi
  magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
  mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
  echo ":almanac-aarch64:M::$magic:$mask:$(command -v qemu-aarch64-static):PF" >$folder/register
  registered=yes
}

step_root() {
  [ ! -e "$root/complete" ] || return 0
  emulation
  rm -rf --one-file-system "$root" "$root.part"
  mkdir -p "$root.part" "$cache/aarch64/deb"
  # In a namespace of its own: whatever debootstrap mounts ends with it.
  unshare --mount --propagation private --pid --fork --kill-child -- debootstrap --arch=arm64 --variant=minbase \
    --cache-dir="$cache/aarch64/deb" \
    --include=python3,libpython3.11,binutils,git,ca-certificates bookworm "$root.part" "$mirror" |
    awk '{ n++ } n % 50 == 0 { print "         " $0; fflush() }' >&2
  [ -x "$root.part/usr/bin/git" ] || die "debootstrap ended without a complete root: $root.part/debootstrap/debootstrap.log"
  touch "$root.part/complete"
  mv "$root.part" "$root"
}

step_file() {
  emulation
  step_packages
  "$python" scripts/build_binary.py --arch aarch64 --root "$root" --site "$site" --output "$output"
}

step_try() {
  emulation
  local cpu home answer
  rm -rf --one-file-system "$root"/tmp/try-* # of a run that was stopped
  for cpu in cortex-a72 cortex-a76; do
    home=$(mktemp -d "$root/tmp/try-$cpu.XXXXXX")
    say "self-test as $cpu"
    QEMU_CPU=$cpu bash scripts/in_root.sh "$root" --bind "$project/dist" -- \
      "$output" --home "${home#"$root"}" self-test --patience 900
    answer=$(QEMU_CPU=$cpu bash scripts/in_root.sh "$root" --bind "$project/dist" -- \
      "$output" --home "${home#"$root"}" ask "大豆R5期追施多少钾肥")
    echo "$answer" >&2
    [[ $answer == *45-60* ]] || die "$cpu: the answer is not the document's"
    say "$cpu used $(sed -n 's/.*: "\(.*\)".*/\1/p' "$home/native.json")"
    rm -rf --one-file-system "$home"
  done
}

for step in $steps; do
  [ -z "$only" ] || [ "$only" = "$step" ] || continue
  say "$step"
  "step_$step"
done
say "done"
[ ! -f "$output" ] || ls -l "$output" >&2
