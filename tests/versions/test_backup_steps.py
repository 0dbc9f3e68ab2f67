"""kb.versions.backup_steps: progress only grows, and ends at 100."""

from __future__ import annotations

from kb.versions.backup_steps import Steps


def test_parts_make_one_progress() -> None:
    seen: list[tuple[str, int, int]] = []
    steps = Steps("backup", lambda *values: seen.append(values))
    first = steps.part(40)
    first(0.5)
    first(0.1)
    first(1.0)
    second = steps.part(60)
    second(0.5)
    second(1.0)
    steps.end()
    assert [done for _, done, _ in seen] == [0, 20, 40, 70, 99, 100]
    assert {(phase, total) for phase, _, total in seen} == {("backup", 100)}
