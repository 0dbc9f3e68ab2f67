"""What the tests of cards share: a card's text, and a knowledge root with cards in a repository."""

from __future__ import annotations

from pathlib import Path

from tests.helpers import commit_all, git, write

CARD = """\
# kept by the irrigation desk
id: pump-e07-reset
type: pitfall
title: E-07 停机后直接复位会打坏叶轮
status: active
confidence: high   # tried in the field
applicable:
  scene: [水泵报汽蚀保护停机, 夏季低水位抽水]
  repos: [ALM-PC200]
  signals: ["E-07"]
conclusion: E-07 停机先清理滤网并降低吸程，查明前不得人工复位
do:
  - 清理滤网
  - 检查吸水管漏气
dont:
  - 反复按复位键
evidence:
  source: 示例控制器故障代码表
  links:
    - machinery/pump/controller/fault_codes_2025_v1.md
owner: irrigation-desk
created_at: 2026-05-01
valid_until: 2026-07-30
layer: scenario
metrics: {injected: 4, adopted: 3, liked: 1}
"""
PATH = "cards/machinery/pump-e07-reset.yaml"


def card_text(**changes: str) -> str:
    """CARD with the values of top-level one-line fields changed; an empty value drops the field's line."""
    lines = []
    for line in CARD.split("\n"):
        name = line.partition(":")[0]
        if name in changes:
            if changes[name]:
                lines.append(f"{name}: {changes[name]}")
        else:
            lines.append(line)
    return "\n".join(lines)


def repository(root: Path, **cards: str) -> Path:
    """A knowledge root with a repository of its own, on branch main, with these cards (name -> text) committed."""
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "--quiet", "-b", "main")
    write(root, "machinery/pump/controller/fault_codes_2025_v1.md", "# E-07\n\nE-07 停机后清理滤网。\n")
    for name, text in cards.items():
        write(root, f"cards/machinery/{name}.yaml", text)
    commit_all(root, "knowledge")
    return root


ROSTER = """\
owners:
  irrigation-desk: {zh: 灌溉组（示例）, en: Irrigation desk (sample)}
  machinery-desk: {zh: 农机组（示例）, en: Machinery desk (sample)}
layers:
  scenario: {owner: machinery-desk, review_days: 45}
"""
