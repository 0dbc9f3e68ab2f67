"""Chinese texts: the knowledge supply line."""

TEXTS: dict[str, str] = {
    # 卡片文件有什么问题
    "card_yaml": "写法有误：{reason}",
    "card_empty": "文件是空的；`almanac cards new` 可生成待填写的卡片",
    "card_missing": "缺少 {field}",
    "card_open": "{field} 还没填；卡片离开 draft 之前必须填写",
    "card_unknown_field": "没有 {field} 这个字段；卡片的字段见 `almanac cards new`",
    "card_not_text": "{field} 必须是一段文字",
    "card_not_list": "{field} 必须是文字列表",
    "card_not_mapping": "{field} 必须包含字段 {names}",
    "card_too_long": "{field} 超过 {limit} 个字符",
    "card_too_many": "{field} 超过 {limit} 项",
    "card_bad_id": "id {value} 不合规：只能用小写字母、数字，中间用 - 或 _ 连接，最多 {limit} 个字符",
    "card_bad_choice": "{field}：{value} 不在可选值 {choices} 之内",
    "card_bad_date": "{field}：{value} 不是 2026-11-29 这样的日期",
    "card_bad_count": "{field}：{value} 不是非负整数",
    "card_no_end": "缺少 valid_until；一般为 {days} 天：valid_until: {date}",
    "card_ends_before": "valid_until {until} 早于 created_at {created}",
    "card_conclusion_long": "结论有 {length} 个字符，最多 {limit} 个：一张卡片只讲一件事",
    "card_misplaced": "卡片应放在 cards/<领域>/<名称>.yaml；此文件未读取",
    "card_outside": "此文件是指向知识目录之外的链接，或文件名无法读取；未读取",
    "card_duplicate_id": "id {id} 已被 {other} 使用；请给这张卡片另取一个",
    "card_unknown": "没有卡片 {id}。`almanac cards list` 列出全部卡片。",
    "card_edit_broken": "{path} 第 {line} 行：不是合法的 YAML；请先改正文件再试。",
    "card_edit_failed": "{path}：无法只改 {fields} 而不动其余内容；请手工编辑该文件。",
}
