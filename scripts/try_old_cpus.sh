#!/usr/bin/env bash
# Try the executable as older x86-64 processors would run it: self-test and one question for each.
#
#   scripts/try_old_cpus.sh [EXECUTABLE] [CPU:VARIANT...]       (default: dist/almanac Nehalem:sse42 Haswell:haswell)
#
# CPU is a name of `qemu-x86_64 -cpu help`, VARIANT the llama.cpp library that has to be chosen there. The program starts
# itself again (to try a library, to read a document, for its screens), so qemu alone is not enough: its children would
# run on the real processor. They are caught by a binfmt_misc of an own user namespace (Linux 6.7 or later; no root
# needed): inside it every x86-64 program runs on the emulated processor, outside nothing changes. qemu itself is the
# exception, marked by an unused byte of its own file header.
# Needs qemu-user-static and about five minutes a processor.
set -euo pipefail

if [ "${1:-}" = --inside ]; then
  mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
  # P keeps argv[0], F opens qemu now. The mask takes programs of either ABI (0 or 3), and only those whose last
  # identification byte is 0.
  echo ':old:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00:\xff\xff\xff\xff\xff\xff\xff\xf8\xff\xff\xff\xff\xff\xff\xff\xff:'"$2"':PF' \
    >/proc/sys/fs/binfmt_misc/register
  shift 2
  exec "$@"
fi

cd "$(dirname "$0")/.."
program=$(realpath "${1:-dist/almanac}")
shift || true
[ $# -gt 0 ] || set -- Nehalem:sse42 Haswell:haswell
[ -x "$program" ] || { echo "try_old_cpus: $program is no executable" >&2; exit 2; }
qemu=$(command -v qemu-x86_64-static) || { echo "try_old_cpus: apt install qemu-user-static" >&2; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cp "$qemu" "$folder/qemu"
printf '\x01' | dd of="$folder/qemu" bs=1 seek=15 conv=notrunc status=none
if ! unshare --user --map-root-user --mount bash "$0" --inside "$folder/qemu" true 2>"$folder/reason"; then
  echo "try_old_cpus: no binfmt_misc of our own here (needs Linux 6.7): $(cat "$folder/reason")" >&2
  exit 1
fi

failed=0
# Variables such as OPENBLAS_CORETYPE would choose for the processor, so the environment is empty.
as() {
  local cpu=$1
  shift
  env -i PATH=/usr/bin:/bin HOME="$folder" LANG=C.UTF-8 TERM=xterm QEMU_CPU="$cpu" \
    unshare --user --map-root-user --mount bash "$0" --inside "$folder/qemu" "$@" \
    2> >(grep -v "TCG doesn't support" >&2)
}
for pair; do
  cpu=${pair%%:*}
  variant=${pair#*:}
  home=$folder/$cpu
  echo "== $cpu"
  as "$cpu" "$program" --home "$home" self-test --patience 900 || { echo "FAIL  $cpu: self-test" && failed=1; }
  as "$cpu" "$program" --home "$home" ask 大豆R5期追施多少钾肥 >"$folder/answer" || failed=1
  cat "$folder/answer"
  grep -q '45-60' "$folder/answer" || { echo "FAIL  $cpu: the answer is not the document's" && failed=1; }
  chosen=$(cat "$home/native.json" 2>/dev/null || true)
  [[ $chosen == *"\"$variant\""* ]] || { echo "FAIL  $cpu: not $variant: ${chosen:-no library}" && failed=1; }
done
[ "$failed" = 0 ] && echo "ok    $*"
exit "$failed"
