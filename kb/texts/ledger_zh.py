"""Chinese texts: packs, injection, ledger, inbox, metrics."""

TEXTS: dict[str, str] = {
    "ledger_busy": "{path} 被其他程序长时间占用。请稍后再试。",
    "ledger_damaged": "{path} 已损坏：{reason}。请从备份恢复；其中内容不会被覆盖。",
    "ledger_name_too_long": "{name} 超过 {limit} 个字符。",
}
