"""中文：双击启动、菜单项、第二个副本。"""

TEXTS: dict[str, str] = {
    "window_press_key": "Almanac 已结束。按任意键关闭此窗口。",
    "window_none": "Almanac 在终端窗口中运行，而这台电脑上没有可用的终端程序。请安装一个（例如："
    "sudo apt install xterm）后重新启动 Almanac，或在文本控制台中输入：\n{command}",
}
