#!/bin/sh
# Makes this machine a kiosk of Almanac, and undoes it. `install.sh --help` says how; README.md explains.
#
# Every change is a file. Before a file is made or replaced, a line about it stands in the manifest and what was there is
# kept; so what was begun can be undone at any moment, also after a power cut. Undoing goes through the manifest from its
# end, and every step of it may be done twice.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=
dry=
now=
verb=install
variant=
lang=
program=
data=
readonly_root=
force=
state=/etc/almanac-kiosk
units=/etc/systemd/system
lib=/usr/local/lib/almanac
home=/var/lib/almanac

case "${ALMANAC_LANG:-${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}}" in zh*) speak=zh ;; *) speak=en ;; esac

# t ENGLISH CHINESE: the one that is read here.
t() { if [ "$speak" = zh ]; then printf '%s\n' "$2"; else printf '%s\n' "$1"; fi; }

# stop CODE ENGLISH CHINESE
stop() {
    t "install.sh: $2" "install.sh：$3" >&2
    exit "$1"
}

usage() {
    t "install.sh [install|uninstall|status] [options]

  install            make this machine a kiosk (the default); again: bring it up to date
  uninstall          put everything back as it was, byte for byte; knowledge and people's data stay in $home
  status             what is set up here, and what is missing

  --variant NAME     console (default; no Chinese characters), cage or kmscon (Chinese)
  --program FILE     the almanac executable to install
  --lang zh|en       language of the kiosk
  --data DEVICE      mount DEVICE (LABEL=…, UUID=… or /dev/…, ext4) at $home
  --read-only        read-only root by overlayroot; needs --data
  --root DIR         work in DIR in place of / (an image, or to try it)
  --now              start the kiosk at once, not at the next start of the machine
  --force            install although a package is missing
  --dry-run          only say what would be done

Exit codes: 0 done, 2 wrong usage, 5 the machine lacks something." \
        "install.sh [install|uninstall|status] [选项]

  install            把本机装成自助终端（默认）；再次运行则更新
  uninstall          逐字节恢复原状；知识和人员数据仍留在 $home
  status             本机装了什么、缺什么

  --variant 名称     console（默认，不能显示中文）、cage 或 kmscon（可显示中文）
  --program 文件     要安装的 almanac 可执行文件
  --lang zh|en       自助终端的语言
  --data 设备        把设备（LABEL=…、UUID=… 或 /dev/…，ext4）挂载到 $home
  --read-only        用 overlayroot 使根文件系统只读；需要 --data
  --root 目录        在该目录而不是 / 中操作（镜像或试用）
  --now              立即启动，而不是等下次开机
  --force            缺少软件包也安装
  --dry-run          只显示将要做什么

退出码：0 完成，2 用法错误，5 机器缺少条件。"
}

while [ $# -gt 0 ]; do
    option=$1
    case "$option" in
    install | uninstall | status) verb=$option ;;
    --dry-run) dry=1 ;;
    --now) now=1 ;;
    --force) force=1 ;;
    --read-only) readonly_root=1 ;;
    --variant | --program | --lang | --data | --root)
        [ $# -ge 2 ] || stop 2 "$option needs a value" "$option 需要一个值"
        shift
        case "$option" in
        --variant) variant=$1 ;;
        --program) program=$1 ;;
        --lang) lang=$1 ;;
        --data) data=$1 ;;
        --root) root=${1%/} ;;
        esac
        ;;
    -h | --help)
        usage
        exit 0
        ;;
    *) stop 2 "unknown: $option; see --help" "不认识：$option；见 --help" ;;
    esac
    shift
done

case "$variant" in '' | console | cage | kmscon) ;; *) stop 2 "no variant $variant" "没有变体 $variant" ;; esac
case "$lang" in '' | zh | en) ;; *) stop 2 "--lang zh or en" "--lang 只能是 zh 或 en" ;; esac
case "$data" in *[[:space:]]*) stop 2 "a device has no spaces: $data" "设备名不含空格：$data" ;; esac
[ -z "$readonly_root" ] || [ -n "$data" ] || stop 2 "--read-only needs --data: what is kept has to lie elsewhere" \
    "--read-only 需要 --data：要保留的内容须放在别处"
[ -z "$root" ] || [ -d "$root" ] || stop 2 "no folder $root" "没有目录 $root"
[ -z "$program" ] || [ -f "$program" ] || stop 2 "no file $program" "没有文件 $program"
if [ -z "$root" ] && [ -z "$dry" ] && [ "$verb" != status ] && [ "$(id -u)" != 0 ]; then
    stop 5 "only root may do this; try --dry-run" "需要 root 权限；可先用 --dry-run"
fi
manifest=$root$state/manifest
kept=$root$state/kept

# -- the manifest ----------------------------------------------------------------------------------------------------

# A line that a power cut left half-written is no line.
mend_manifest() {
    if [ -s "$manifest" ] && [ -n "$(tail -c 1 "$manifest")" ]; then
        sed '$d' "$manifest" >"$manifest.new"
        mv -f "$manifest.new" "$manifest"
    fi
}

note() {
    printf '%s\n' "$*" >>"$manifest"
    sync "$manifest"
}

# known WORDS: whether a line ends with these words.
known() { [ -f "$manifest" ] && grep -qE "^(new|kept [0-9]+|dir) $1\$" "$manifest"; }

# The folder of a file, with its parents, each noted before it is made.
folder() {
    [ -d "$root$1" ] || {
        folder "$(dirname "$1")"
        note "dir $1"
        mkdir "$root$1"
    }
}

# Keep what is at $1 before it changes for the first time.
keep() {
    known "$1" && return
    if [ -e "$root$1" ] || [ -L "$root$1" ]; then
        number=$(($(wc -l <"$manifest") + 1))
        cp -pP "$root$1" "$kept/.$number"
        mv -fT "$kept/.$number" "$kept/$number"
        sync -f "$kept" 2>/dev/null || sync
        note "kept $number $1"
    else
        note "new $1"
    fi
}

# put SOURCE PATH MODE: the file at PATH becomes SOURCE's bytes, at once.
put() {
    if [ -f "$root$2" ] && [ ! -L "$root$2" ] && cmp -s "$1" "$root$2"; then
        return
    fi
    if [ -n "$dry" ]; then
        t "write  $2" "写入  $2"
        return
    fi
    folder "$(dirname "$2")"
    keep "$2"
    cp "$1" "$root$2.almanac-new"
    chmod "$3" "$root$2.almanac-new"
    sync "$root$2.almanac-new"
    mv -fT "$root$2.almanac-new" "$root$2"
}

# point TARGET PATH: PATH becomes a symbolic link.
point() {
    if [ -L "$root$2" ] && [ "$(readlink "$root$2")" = "$1" ]; then
        return
    fi
    if [ -n "$dry" ]; then
        t "link   $2 -> $1" "链接  $2 -> $1"
        return
    fi
    folder "$(dirname "$2")"
    keep "$2"
    ln -sfT "$1" "$root$2.almanac-new"
    mv -fT "$root$2.almanac-new" "$root$2"
}

# drop PATH: as before the first installation (what another variant had put there).
drop() {
    known "$1" || return 0
    if [ -n "$dry" ]; then
        t "remove $1" "删除  $1"
        return
    fi
    line=$(grep -E "^(new|kept [0-9]+) $1\$" "$manifest")
    back "$line"
}

# back LINE: undo one line of the manifest. May be done twice.
back() {
    # shellcheck disable=SC2086  # the words of the line
    set -- $1
    case "$1" in
    new) rm -f "$root$2" "$root$2.almanac-new" ;;
    dir) rmdir "$root$2" 2>/dev/null || true ;;
    kept)
        rm -f "$root$3.almanac-new"
        [ -e "$kept/$2" ] || [ -L "$kept/$2" ] || return 0
        rm -f "$root$3.almanac-old"
        cp -pP "$kept/$2" "$root$3.almanac-old"
        mv -fT "$root$3.almanac-old" "$root$3"
        ;;
    user) if [ -z "$root" ] && id almanac >/dev/null 2>&1; then userdel almanac; fi ;;
    esac
}

# -- what a machine needs ----------------------------------------------------------------------------------------------

# need COMMAND PACKAGE: add PACKAGE to what is missing.
missing=
need() { [ -e "$root/usr/bin/$1" ] || [ -e "$root/usr/sbin/$1" ] || [ -e "$root/bin/$1" ] || missing="$missing $2"; }

look_for_packages() {
    missing=
    case "$1" in
    console)
        need loadkeys kbd
        [ -d "$root/usr/share/consolefonts" ] || missing="$missing console-setup-linux"
        ;;
    cage)
        need cage cage
        need foot foot
        need seatd seatd
        need Xwayland xwayland
        ;;
    kmscon)
        need kmscon kmscon
        need loadkeys kbd
        ;;
    esac
    if [ "$1" != console ] && ! find "$root/usr/share/fonts" -iname '*cjk*' -o -iname 'wqy-*' 2>/dev/null | grep -q .; then
        missing="$missing fonts-noto-cjk"
    fi
    need udevadm udev
    [ -z "$readonly_root" ] || need overlayroot-chroot overlayroot
}

chosen_variant() {
    if [ -n "$variant" ]; then
        printf '%s\n' "$variant"
    elif [ -f "$root$state/variant" ]; then
        cat "$root$state/variant"
    else
        echo console
    fi
}

# -- verbs -------------------------------------------------------------------------------------------------------------

install_all() {
    variant=$(chosen_variant)
    look_for_packages "$variant"
    if [ -n "$missing" ]; then
        t "missing packages: apt-get install$missing" "缺少软件包：apt-get install$missing" >&2
        [ -n "$force$dry$root" ] || exit 5
    fi
    if [ -z "$program" ] && [ ! -f "$root$home/program/almanac" ]; then
        for candidate in "$here/almanac" "$here/../almanac" "$here/../../almanac" "$here/../../dist/almanac"; do
            if [ -z "$program" ] && [ -f "$candidate" ]; then program=$candidate; fi
        done
        [ -n "$program" ] || stop 2 "which program? --program FILE" "要安装哪个程序？--program 文件"
    fi
    if [ -z "$root" ] && [ -f /etc/overlayroot.local.conf ] && [ "$(findmnt -no FSTYPE / 2>/dev/null)" = overlay ]; then
        stop 5 "the root is read-only now; run this in overlayroot-chroot" "根文件系统只读；请在 overlayroot-chroot 中运行"
    fi
    if [ -z "$dry" ]; then
        mkdir -p "$kept"
        touch "$manifest"
        mend_manifest
        printf '%s\n' "$variant" >"$root$state/variant"
    fi
    # First, or the program would lie hidden below the mount.
    if [ -n "$data" ]; then mount_data; fi
    [ -z "$program" ] || put "$program" "$home/program/almanac" 755
    point "$home/program/almanac" /usr/local/bin/almanac

    for name in run-kiosk console-keys; do put "$here/bin/$name" "$lib/$name" 755; done
    for file in "$here"/units/* "$here"/../backup/almanac-backup.service "$here"/../backup/almanac-backup.timer; do
        put "$file" "$units/$(basename "$file")" 644
    done
    put "$here/README.md" /usr/local/share/doc/almanac/kiosk/README.md 644
    put "$here/../backup/README.md" /usr/local/share/doc/almanac/backup/README.md 644
    put "$here/system/99-almanac-update.rules" /etc/udev/rules.d/99-almanac-update.rules 644
    put "$here/system/sysctl.conf" /etc/sysctl.d/90-almanac-kiosk.conf 644
    put "$here/system/manager.conf" /etc/systemd/system.conf.d/almanac-kiosk.conf 644
    put "$here/system/logind.conf" /etc/systemd/logind.conf.d/almanac-kiosk.conf 644
    put "$here/system/journald.conf" /etc/systemd/journald.conf.d/almanac-kiosk.conf 644
    put "$here/system/sysusers.conf" /etc/sysusers.d/almanac.conf 644
    put "$here/system/tmpfiles.conf" /etc/tmpfiles.d/almanac.conf 644
    if [ -n "$lang" ] || [ ! -f "$root/etc/default/almanac" ]; then
        made=$(mktemp)
        sed "s/@LANG@/${lang:-$speak}/" "$here/system/default" >"$made"
        put "$made" /etc/default/almanac 644
        rm -f "$made"
    fi
    if [ "$variant" = console ]; then
        drop "$units/almanac-kiosk.service.d/variant.conf"
    else
        put "$here/variants/$variant.conf" "$units/almanac-kiosk.service.d/variant.conf" 644
    fi
    if [ "$variant" = cage ]; then put "$here/variants/foot.ini" /etc/almanac/foot.ini 644; else drop /etc/almanac/foot.ini; fi

    # What `systemctl enable` and `mask` would do, as files, so that it works in an image and can be undone.
    wants=$units/multi-user.target.wants
    for unit in almanac-kiosk.service almanac-login.path; do point "$units/$unit" "$wants/$unit"; done
    point "$units/almanac-backup.timer" "$units/timers.target.wants/almanac-backup.timer"
    for unit in getty@tty1.service autovt@tty1.service ctrl-alt-del.target kbrequest.target; do
        point /dev/null "$units/$unit"
    done
    if [ -n "$readonly_root" ]; then put "$here/system/overlayroot.conf" /etc/overlayroot.local.conf 644; fi
    if [ -n "$dry" ]; then
        return
    fi
    sync
    if [ -z "$root" ]; then settle; fi
    t "Installed ($variant). Set the PIN: runuser -u almanac -- almanac kiosk pin --home $home. The kiosk comes with the next start of the machine." \
        "已安装（$variant）。请设置 PIN：runuser -u almanac -- almanac kiosk pin --home $home。下次开机进入自助终端。"
}

# The line in /etc/fstab, after what was there before the first installation.
mount_data() {
    made=$(mktemp)
    number=$(sed -n 's,^kept \([0-9]*\) /etc/fstab$,\1,p' "$manifest" 2>/dev/null || true)
    before=$root/etc/fstab
    if [ -n "$number" ]; then before=$kept/$number; elif known /etc/fstab; then before=/dev/null; fi
    if [ -e "$before" ]; then cat "$before" >"$made"; fi
    [ -z "$(tail -c 1 "$made")" ] || echo >>"$made"
    printf '%s\n' "# Almanac: what people make and what is updated" \
        "$data $home ext4 noatime,nodev,nosuid,errors=remount-ro,x-systemd.device-timeout=30s 0 2" >>"$made"
    put "$made" /etc/fstab 644
    rm -f "$made"
    if [ -z "$root$dry" ]; then
        folder "$home"
        mountpoint -q "$home" || mount "$home" || stop 5 "$data cannot be mounted at $home" "无法把 $data 挂载到 $home"
    fi
}

# On the running machine: account, folders, and everybody reads their files again.
settle() {
    id almanac >/dev/null 2>&1 || {
        note "user almanac"
        systemd-sysusers /etc/sysusers.d/almanac.conf
    }
    if [ -n "$data" ]; then
        findmnt --verify --tab-file /etc/fstab >/dev/null || t "look at /etc/fstab: findmnt --verify" "请检查 /etc/fstab：findmnt --verify" >&2
    fi
    systemd-tmpfiles --create /etc/tmpfiles.d/almanac.conf || true
    again
    if [ -n "$now" ]; then
        systemctl stop getty@tty1.service || true
        systemctl restart almanac-kiosk.service almanac-login.path almanac-backup.timer
    fi
}

again() {
    sysctl -q --system >/dev/null 2>&1 || true
    udevadm control --reload 2>/dev/null || true
    systemctl daemon-reload 2>/dev/null || true
}

uninstall_all() {
    if [ ! -f "$manifest" ]; then
        [ -n "$dry" ] || rm -rf "${root:?}$state" 2>/dev/null || rm -rf "$state"
        t "Nothing is installed here." "这里没有安装。"
        return
    fi
    [ -n "$dry" ] || mend_manifest
    if [ -z "$root" ] && [ -z "$dry" ]; then
        systemctl stop almanac-kiosk.service almanac-login.path almanac-login.service almanac-backup.timer \
            almanac-console.service 2>/dev/null || true
    fi
    sed '1!G;h;$!d' "$manifest" | while read -r line; do
        if [ -n "$dry" ]; then t "undo   $line" "撤销  $line"; else back "$line"; fi
    done
    [ -z "$dry" ] || return 0
    sync
    # The manifest goes last: until here everything can be done again.
    rm -f "$manifest"
    rm -rf "$root$state"
    if [ -z "$root" ]; then again; fi
    t "Everything is as it was. Knowledge and people's data are still in $home." \
        "已恢复原状。知识和人员数据仍在 $home。"
}

show_status() {
    if [ ! -f "$manifest" ]; then
        t "Nothing is installed here." "这里没有安装。"
        exit 5
    fi
    variant=$(chosen_variant)
    bad=0
    t "variant: $variant" "变体：$variant"
    look_for_packages "$variant"
    [ -z "$missing" ] || { bad=5; t "missing packages:$missing" "缺少软件包：$missing"; }
    while read -r kind first second; do
        path=${second:-$first}
        case "$kind" in new | kept) [ -e "$root$path" ] || [ -L "$root$path" ] || {
            case "$path" in */variant.conf | */foot.ini) continue ;; esac
            bad=5
            t "gone: $path" "不见了：$path"
        } ;; esac
    done <"$manifest"
    if [ -f "$root/etc/overlayroot.local.conf" ] && ! grep -q " $home " "$root/etc/fstab"; then
        bad=5
        t "the root is read-only and $home is no mount: nothing would be kept" "根文件系统只读而 $home 未单独挂载：什么也留不下来"
    fi
    if [ -z "$root" ]; then
        mounted=$(findmnt -no SOURCE,OPTIONS "$home" 2>/dev/null || true)
        t "data: ${mounted:-on the root file system}" "数据：${mounted:-在根文件系统上}"
        t "root: $(findmnt -no FSTYPE /)" "根：$(findmnt -no FSTYPE /)"
        t "kiosk: $(systemctl is-active almanac-kiosk.service 2>/dev/null || true)" \
            "自助终端：$(systemctl is-active almanac-kiosk.service 2>/dev/null || true)"
    fi
    if ! find "$root$home/update-keys" -name '*.pub' 2>/dev/null | grep -q .; then
        t "no owner's key: a stick is only taken from the maintenance screen" "没有签名公钥：U 盘只能在维护界面中使用"
    fi
    exit "$bad"
}

case "$verb" in
install) install_all ;;
uninstall) uninstall_all ;;
status) show_status ;;
esac
