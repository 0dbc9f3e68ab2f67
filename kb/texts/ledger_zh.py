"""Chinese texts: packs, injection, ledger, inbox, metrics."""

TEXTS: dict[str, str] = {
    "ledger_busy": "{path} 被其他程序长时间占用。请稍后再试。",
    "ledger_damaged": "{path} 已损坏：{reason}。请从备份恢复；其中内容不会被覆盖。",
    # packs
    "pack_too_large": "文件超过 {limit} 字节；知识包只需几行",
    "pack_missing": "字段 {field} 缺失或为空",
    "pack_unknown_field": "未知字段 {field}；可用：{names}",
    "pack_not_mapping": "{field} 应包含 {names}",
    "pack_not_list": "{field} 应为名称列表",
    "pack_bad_number": "{field} 为 {value}，应为 {low} 到 {high} 的整数",
    "pack_bad_card": "{value} 不是卡片编号",
    "pack_bad_type": "{value} 不是卡片类型；可用：{names}",
    # injection
    "inject_empty_task": "任务为空：需要标题或正文。",
    "inject_pinned_unknown": "{pack} 固定了卡片 {card}，但它不存在。请更正编号或移除。",
    "inject_pinned_inactive": "{pack} 固定了卡片 {card}，但它不在生效状态。请启用该卡片或移除。",
    "inject_pinned_expired": "{pack} 固定了卡片 {card}，但它已过期。请续期或移除。",
    "inject_pinned_low": "{pack} 固定了卡片 {card}，但其可信度为低，不会发放。",
    "inject_pinned_too_large": "固定的卡片 {cards} 需要 {tokens} 个词元，预算为 {budget}。请提高预算或减少固定的卡片。",
    "inject_note": "团队已核对的知识。{mark} 表示尚未经实际使用确认。引用时写卡片编号。",
    "inject_do": "要：",
    "inject_dont": "不要：",
    "inject_source": "依据：",
    "inject_none": "没有卡片适合任务 {task}；预算 {budget} 词元（{cards} 张卡片，{tokens} 词元）。",
    "inject_done": "任务 {task}：{cards} 张卡片，{tokens}/{budget} 词元。",
    "inject_no_cards": "{path} 中没有卡片。可用 `almanac cards new` 写第一张。",
    # ledger
    "ledger_name_too_long": "{name} 超过 {limit} 个字符。",
    "ledger_no_task": "台账中没有发放过卡片的任务 {task}。`almanac ledger show` 可列出任务。",
    "ledger_bad_head": "{value} 不是链头的写法 12:ab34…：行号、冒号、64 位十六进制数。",
    "ledger_whole": "台账完整：{rows} 行。链头 {head}",
    "ledger_broken_changed": "{path} 的第 {row} 行写入后被改动。",
    "ledger_broken_missing": "{path} 缺少第 {row} 行。",
    "ledger_broken_cut": "{path} 在第 {row} 行之前中断，而该行写入过。",
    "ledger_empty": "没有记录。",
    "ledger_noted": "已记为第 {row} 行。",
    "ledger_followed": "采纳",
    "ledger_contradicted": "违背",
    "ledger_unrelated": "无关",
    "ledger_follows": "“{said}”符合“{card}”",
    "ledger_other_number": "“{said}”的数值与“{card}”不同",
    "ledger_denies": "“{said}”与“{card}”相反",
    "ledger_does_dont": "“{said}”做了不该做的事：“{card}”",
    "ledger_kind_task": "任务",
    "ledger_kind_injection": "发放卡片",
    "ledger_kind_verdict": "判定",
    "ledger_kind_feedback": "反馈",
    "ledger_kind_hit": "命中归档卡片",
    "ledger_kind_review": "负责人处理",
    "ledger_kind_search": "自行检索",
    # command line
    "cli_inject": "按词元预算给出任务所需的知识",
    "cli_inject_examples": "示例：\n"
    '  almanac inject --task "校准喷杆喷雾机" --agent agronomy-desk\n'
    "  almanac inject --task task.yaml --budget 1500 --json\n"
    "任务文件包含 title、text、repo、type、agent、id（YAML 或 JSON），或为纯文本；- 表示标准输入。\n"
    "除非 --dry-run，发放内容都会记入台账。退出码 3：没有合适的卡片。",
    "cli_inject_task": "任务：文件、文本，或 - 表示标准输入",
    "cli_inject_agent": "由谁执行；与仓库、类型一起决定适用的知识包",
    "cli_inject_repo": "涉及的仓库、机具或地块",
    "cli_inject_type": "任务类型，与知识包中的写法一致",
    "cli_inject_id": "任务在台账中的编号（默认新编）",
    "cli_inject_budget": "知识块的词元上限（默认取知识包的值，否则 2000）",
    "cli_inject_dry": "不写入台账",
    "cli_ledger": "核对、查看、判定、补充发放台账",
    "cli_ledger_examples": "示例：\n"
    "  almanac ledger verify\n"
    "  almanac ledger show --card pump-e07-no-bypass\n"
    "  almanac ledger judge --task task-12 --text answer.md\n"
    '  almanac ledger feedback pump-e07-no-bypass --dislike --note "滤网是干净的"\n'
    "退出码 4：有记录被改动。",
    "cli_ledger_verify": "逐行核对摘要，指出第一处改动",
    "cli_ledger_head": "以前记下的链头：必须仍在链中",
    "cli_ledger_show": "显示最近的记录",
    "cli_ledger_task": "任务编号",
    "cli_ledger_card": "卡片编号，或文档路径",
    "cli_ledger_judge": "把任务产出与发放的卡片对照",
    "cli_ledger_text": "产出所在的文件，或 - 表示标准输入",
    "cli_ledger_feedback": "对卡片或文档点赞或点踩",
    "cli_ledger_item": "卡片编号，或文档路径",
    "cli_ledger_like": "有帮助",
    "cli_ledger_dislike": "有误或没有帮助",
    "cli_ledger_note": "说明",
}
