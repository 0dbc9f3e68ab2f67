"""kb.versions.messages: the form of a commit's message."""

from __future__ import annotations

import pytest

from kb.errors import AlmanacError, ExitCode
from kb.versions.messages import checked_message, subject


@pytest.mark.parametrize(
    "message",
    [
        "docs(退货规则): 退货期改为 10 天",
        "feat(agriculture/crop): add peanut\n\nA longer reason.\n# comment",
        "policy(refund): x",
        "fix(大豆 播种): y",
        "# comment\n\ndocs(a): b",
        "\ufeffdocs(a): b",
        "Merge branch 'draft'",
        'Revert "docs(a): b"',
        "fixup! docs(a): b",
    ],
)
def test_good_ones(message: str) -> None:
    assert checked_message(message) == message


@pytest.mark.parametrize(
    ("message", "key"),
    [
        ("", "message_empty"),
        ("# only a comment\n", "message_empty"),
        ("# ------------------------ >8 ------------------------\ndiff", "message_empty"),
        ("updated", "message_form"),
        ("docs: no scope", "message_form"),
        ("docs(): x", "message_form"),
        ("docs( a ): x", "message_nearly"),
        ("docs(a):x", "message_nearly"),
        ("docs（退货规则）：退货", "message_nearly"),
        ("Docs(a): x", "message_nearly"),
        ("chore(a): x", "message_type"),
        ("docs(a): " + "x" * 200, "message_long"),
    ],
)
def test_bad_ones_say_what_is_wrong(message: str, key: str) -> None:
    with pytest.raises(AlmanacError) as caught:
        checked_message(message)
    assert (caught.value.key, caught.value.exit_code) == (key, ExitCode.USAGE)


def test_a_nearly_right_one_is_shown_right() -> None:
    with pytest.raises(AlmanacError) as caught:
        checked_message("docs（退货规则）：退货期改为 10 天")
    assert caught.value.params["better"] == "docs(退货规则): 退货期改为 10 天"
    assert checked_message(str(caught.value.params["better"]))


def test_the_subject() -> None:
    assert subject("\r\n# x\r\ndocs(a): b\r\n") == "docs(a): b"
