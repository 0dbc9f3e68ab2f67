"""Text in a document that speaks to a program instead of a reader («ignore all previous instructions»).

Retrieved text is data, so such text moves nothing; but neither is it what a person wants to read as the answer.
"""

from __future__ import annotations

import re

# An order begins with its verb, or behind a word of asking; «never ignore the instructions on the label» is advice.
_COMMAND = re.compile(
    r"(?:^|[.!?:;,。！？：；，\n>*#-]\s*|\b(?:please|now|must|should|and|then|assistant|model|ai)[,:]?\s+)"
    r"(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,40}"
    r"\b(?:instructions?|rules?|prompts?|guidelines?|directives?)\b|"
    r"(?<!勿)(?<!不得)(?<!不要)(?<!不可)(?<!不能)(?<!不应)(?<!禁止)(?<!严禁)"
    r"(?:忽略|无视|忘记|忘掉|不要理会|不必理会|覆盖)[^。！？\n]{0,12}(?:指令|指示|规则|规定|提示词|设定|系统提示|要求)|"
    r"\b(?:system prompt|you are now|act as an? (?:ai|assistant|chatbot)|as an? (?:ai|language model))\b|"
    r"系统提示词|你现在是|作为(?:一个|一名)?(?:ai|人工智能|语言模型|助手)",
    re.IGNORECASE,
)


def speaks_to_program(text: str) -> bool:
    """Whether `text` tells a program what to do with its rules or who to be."""
    return _COMMAND.search(text) is not None
