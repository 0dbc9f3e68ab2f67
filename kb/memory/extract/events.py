"""Things that happen at a time: which kind of happening a dated sentence tells of."""

from __future__ import annotations

import re

_KINDS: tuple[tuple[str, str], ...] = (
    ("sign", r"签订|签署|签约|签字|\bsign(?:ed|ing|ature)?\b|\bexecuted\b|\bmade on\b|\bconcluded\b|entered into"),
    ("accept", r"验收|\baccept(?:ed|ance)?\b|hand(?:ed)?[ -]?over|移交"),
    ("deliver", r"交付|交货|发货|到货|供货|送达|\bdeliver(?:ed|y|ies)?\b|\bshipp(?:ed|ing)\b|\bshipment\b|dispatched"),
    ("pay", r"付款|支付|汇款|结算|缴纳|\bpa(?:y|id|yment|ys)\b|invoice"),
    ("meeting", r"会议|召开|开会|例会|评审会|\bmeeting\b|\bmet\b|\bworkshop\b|conference"),
    ("install", r"安装|调试|投运|投产|上线|\binstall(?:ed|ation)?\b|\bcommission(?:ed|ing)?\b|put into (?:service|"
                r"operation)|went live|go-live"),
    ("fail", r"故障|停机|事故|泄漏|损坏|断裂|失灵|烧毁|跳闸|\bfail(?:ed|ure|s)?\b|\bbroke\b|\bleak(?:ed|age)?\b|"
             r"\boutage\b|\baccident\b|\bstopped\b|damaged|tripped"),
    ("repair", r"维修|修复|修理|抢修|\brepair(?:ed|s)?\b|\bfixed\b|restored"),
    ("replace", r"更换|换装|替换|\breplac(?:ed|ement|e)\b|swapped"),
    ("maintain", r"检修|保养|维护|大修|\bmaint(?:ained|enance|ain)\b|\bservic(?:ed|ing)\b|overhaul"),
    ("inspect", r"检查|检验|检测|巡检|抽检|审计|稽查|\binspect(?:ed|ion)?\b|\baudit(?:ed)?\b|\bcheck(?:ed)?\b|"
                r"calibrat"),
    ("test", r"试验|测试|试运行|试车|\btest(?:ed|ing|s)?\b|\btrial\b"),
    ("approve", r"批准|审批|核准|\bapprov(?:ed|al|e)\b|authori[sz]ed"),
    ("publish", r"发布|印发|颁布|公布|出版|发行|\bpublish(?:ed)?\b|\breleas(?:ed|e)\b|\bissued?\b|announced"),
    ("effect", r"生效|实施|施行|起执行|\beffective\b|take(?:s)? effect|came into force|comes? into force|enter(?:s|"
               r"ed)? into force|commence(?:s|ment)?"),
    ("end", r"终止|到期|届满|失效|废止|截止|有效期至|\bexpir(?:e|es|ed|y|ation)\b|\bterminat(?:e|es|ed|ion)\b|"
            r"\bdeadline\b|\buntil\b|valid to|due (?:by|on|date)|\bend(?:s|ed)?\b"),
    ("revise", r"修订|更新|变更|修改|\brevis(?:ed|ion)\b|\bamend(?:ed|ment)?\b|\bupdat(?:ed|e)\b|changed"),
    ("complete", r"完成|竣工|完工|结束|\bcomplet(?:ed|ion|e)\b|\bfinish(?:ed)?\b|concluded"),
    ("start", r"启动|开始|开工|动工|开通|\bstart(?:ed|s)?\b|\bbeg(?:an|in|ins)\b|kick[- ]?off|launched|opened"),
    ("sow", r"播种|移栽|插秧|定植|\bsow(?:n|ed|ing)?\b|\bplant(?:ed|ing)\b|transplanted"),
    ("harvest", r"收获|收割|采收|\bharvest(?:ed|ing)?\b"),
    ("apply", r"施肥|追肥|喷药|施药|喷洒|灌溉|浇水|\bsprayed\b|\bapplied\b|fertili[sz]ed|irrigated"),
    ("vaccinate", r"免疫|接种|防疫|\bvaccinat(?:ed|ion)\b"),
    ("appoint", r"任命|聘任|\bappointed\b|\bhired\b|joined"),
    ("found", r"成立|设立|注册|\bfounded\b|\bestablished\b|registered|incorporated"),
    ("buy", r"购买|采购|购入|\bpurchas(?:ed|e)\b|\bbought\b|ordered|订购"),
    ("train", r"培训|\btrain(?:ed|ing)\b"),
    ("manufacture", r"生产|制造|出厂|\bmanufactured\b|\bproduced\b|built"),
    ("plan", r"计划|拟于|预计|\bplan(?:ned)?\b|\bschedul(?:ed|e)\b|expected"),
    ("submit", r"提交|上报|报送|申报|\bsubmit(?:ted)?\b|\bfiled\b|reported"),
)  # fmt: skip
_PATTERNS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _KINDS)
OTHER = "event"
# Words that mostly only say how another one stands: 完成验收 is an acceptance.
_MODAL = re.compile(r"(?:\b(?:will|shall|must|to|was|were|been|be)|将|应|须)\s?$", re.IGNORECASE)
_WEAK = frozenset(("complete", "start", "plan", "end"))


def kind_of_event(text: str, start: int, end: int) -> str:
    """What happens at the date from `start` to `end` of a sentence: the nearest word behind it, else before.

    A word in the date's own clause counts before one in another.
    """
    marks = ",，;；。"
    first = max((text.rfind(mark, 0, start) for mark in marks), default=-1) + 1
    last = min((place for mark in marks if (place := text.find(mark, end)) >= 0), default=len(text))
    best: tuple[int, int, str] | None = None
    for order, (kind, pattern) in enumerate(_PATTERNS):
        for match in pattern.finditer(text):
            away = match.start() - end if match.start() >= end else 15 + start - match.end()
            if not first <= match.start() < last:
                away += 60
            if kind in _WEAK:
                away += 12
            if _MODAL.search(text, 0, match.start()):
                away -= 30
            if best is None or (away, order) < best[:2]:
                best = (away, order, kind)
    return best[2] if best else OTHER
