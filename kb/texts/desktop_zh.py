"""中文：双击启动、菜单项、第二个副本。"""

TEXTS: dict[str, str] = {
    "window_press_key": "Almanac 已结束。按任意键关闭此窗口。",
    "window_none": "Almanac 在终端窗口中运行，而这台电脑上没有可用的终端程序。请安装一个（例如："
    "sudo apt install xterm）后重新启动 Almanac，或在文本控制台中输入：\n{command}",
    "tui_read_only": "只读",
    "tui_second_copy": "另一个 Almanac 已打开：这里只读，不保存。",
    "restore_other_open": "{path} 正被打开的 Almanac 使用。请先关闭它再恢复，否则它在此期间保存的内容会丢失。",
    "cli_desktop": "把 Almanac 放进桌面菜单，或从中移除",
    "cli_desktop_examples": "示例：\n  almanac desktop install --icon\n  almanac --home /media/stick/almanac-data "
    "desktop install\n  almanac desktop remove",
    "cli_desktop_install": "放进菜单",
    "cli_desktop_remove": "移除",
    "cli_desktop_icon": "同时在桌面上放一个可双击的图标",
    "cli_desktop_all_users": "供本机所有用户使用（/usr/local/share）",
    "desktop_written": "已写入：{path}",
    "desktop_removed": "已移除：{path}",
    "desktop_no_home": "没有用户主目录（未设置 HOME）。",
}
