"""Service desk."""

from __future__ import annotations

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from pictures.style import (
    BLUE,
    GREEN,
    INK,
    RED,
    SOFT,
    Drawer,
    arrow,
    box,
    sketch,
)


def payment_sequence() -> Figure:
    figure, axes = sketch("支付超时：先查单，后重试")
    columns = {"终端机": 10.0, "支付网关": 45.0, "银行": 80.0}
    for name, x in columns.items():
        box(axes, x - 8, 45, 16, 4.6, name, BLUE, 14)
        axes.plot([x, x], [45, 1], color=SOFT, linewidth=1.2, linestyle=(0, (4, 4)))
    a, b, c = columns.values()

    def message(y: float, start: float, end: float, text: str, colour: str = INK, line: str = "-") -> None:
        arrow(axes, (start, y), (end, y), colour, line=line)
        axes.text((start + end) / 2, y + 0.7, text, ha="center", va="bottom", color=colour, fontsize=12)

    message(40, a, b, "支付请求（连接超时 3 s）")
    message(37, b, c, "扣款请求")
    axes.text(62.5, 33.2, "10 s 内无应答", ha="center", color=RED, fontsize=12)
    message(29.5, b, a, "ERR_TIMEOUT（读取超时 10 s）", RED, "--")
    message(24.5, a, b, "查单：每 5 s 一次，最多 6 次", GREEN)
    message(19.5, b, a, "未支付", GREEN, "--")
    message(14.5, a, b, "重试：1 s、3 s 后，最多 2 次", BLUE)
    message(11, b, c, "扣款请求（同一订单号）", BLUE)
    message(6.5, c, b, "成功", BLUE, "--")
    message(3, b, a, "已支付", BLUE, "--")
    axes.add_patch(Rectangle((b - 0.7, 29.5), 1.4, 10.5, facecolor=RED, alpha=0.35))
    return figure


PICTURES: dict[str, Drawer] = {
    "service_desk/payment/gateway/images/payment_timeout_sequence_2026.png": payment_sequence,
}
