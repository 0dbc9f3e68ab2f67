#!/bin/sh
# Starts Almanac from the folder that this file lies in (a stick), with its data beside it. Also: sh start-almanac.sh
# Where programs cannot be run from the stick (FAT, noexec), it is copied to this computer first, once.
set -eu
here=$(cd "$(dirname "$0")" && pwd -P)
case "${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}" in zh*) zh=1 ;; *) zh= ;; esac
say() { if [ -n "$zh" ]; then message=$2; else message=$1; fi && printf '%s\n' "$message" >&2; }

# give_up ENGLISH CHINESE: also where nobody sees standard error: in a dialog, else in a file beside this one.
give_up() {
    say "$1" "$2"
    if ! [ -t 2 ]; then
        zenity --error --no-markup --title=Almanac --text="$message" 2>/dev/null ||
            kdialog --title Almanac --error "$message" 2>/dev/null ||
            xmessage -center "$message" 2>/dev/null ||
            printf '%s\n\n%s\n' "$1" "$2" 2>/dev/null >"$here/Almanac-README.txt" || true
    fi
    exit 5
}

program=
for name in "almanac-$(uname -m)" almanac; do
    if [ -z "$program" ] && [ -f "$here/$name" ]; then program=$here/$name; fi
done
if [ -z "$program" ]; then
    give_up "There is no almanac in $here." "$here 中没有 almanac。"
fi

# A stick that cannot be written: the data goes where it goes without a stick.
if mkdir -p "$here/almanac-data" 2>/dev/null && [ -w "$here/almanac-data" ]; then
    export ALMANAC_HOME="$here/almanac-data"
fi

# An empty file would be a script that does nothing, and does it well.
runs() { [ -x "$1" ] && [ -n "$("$1" --version 2>/dev/null)" ]; }

if ! runs "$program"; then
    # The copy's name says which file it is of: size and time.
    copies=${XDG_CACHE_HOME:-${HOME:?}/.cache}/almanac/portable
    copy=$copies/$(stat -c %s-%Y "$program")
    # Again where a power cut left half of it.
    if ! runs "$copy"; then
        say "Almanac cannot be run from here; it is copied to $copies …" "无法从此处直接运行，正在复制到 $copies …"
        if ! { mkdir -p "$copies" && rm -f "$copies"/* && cp "$program" "$copy.part"; }; then
            rm -f "$copy.part"
            give_up "Almanac cannot be copied to $copies: no space, or not writable." "无法复制到 $copies：空间不足或不可写。"
        fi
        chmod 755 "$copy.part"
        mv -f "$copy.part" "$copy"
    fi
    if ! runs "$copy"; then
        give_up "This almanac does not run on this computer ($(uname -m))." "这个 almanac 不能在本机（$(uname -m)）上运行。"
    fi
    program=$copy
fi
exec "$program" "$@"
