"""中文文案：读取文档。"""

TEXTS: dict[str, str] = {
    "reading_empty": "{path} 是空文件，没有可读的内容。",
    "reading_locked": "{path} 设有密码。请另存一份不带密码的副本再读取。",
    "reading_damaged": "{path} 已损坏，无法读取（{reason}）。请重新获取该文件，或用制作它的程序打开后另存一份。",
    "reading_bomb": "{path} 解压后远大于正常文档，已拒绝读取。若文件确实可信，请另存为 PDF。",
    "reading_old_word": "{path} 是 Office 2007 以前的格式。请另存为 .docx 或 PDF 再读取。",
    "reading_unsupported": "{path} 的类型（{kind}）不支持读取。可读取 PDF、DOCX、HTML、Markdown、纯文本和图片。",
    "reading_too_long": "{path} 有 {pages} 页，最多读取 {limit} 页。请先拆分。",
    "reading_too_large": "读取 {path} 需要的内存超过 {limit} MB，已停止。请先拆分。",
    "reading_too_slow": "读取 {path} 超过 {seconds} 秒，已停止。请换一份重新保存或打印成 PDF 的副本再试。",
    "reading_failed": "{path} 无法读取：读取进程中途结束（{reason}）。",
    "reading_note_scan": "第 {page} 页是图片；本机没有安装文字识别程序，页上的文字无法检索。",
    "reading_note_unreadable": "第 {page} 页无法读取。",
    "reading_note_turned": "第 {page} 页：其他方向的文字未收入。",
    "reading_note_deleted": "修订：此处有文字被删除（{who}）。",
    "reading_note_comment": "批注（{who}）：{text}",
    "progress_reading": "正在读取",
    "cli_ingest": "把 PDF、DOCX、HTML、纯文本和图片读入知识库，存为 Markdown 文档，并记入记忆",
    "cli_ingest_examples": "示例：\n"
    "  almanac ingest 说明书.pdf --knowledge ~/knowledge --into machinery/pump\n"
    "  almanac ingest 合同/ --knowledge ~/knowledge --type contract --valid-to 2027-12-31\n"
    "  almanac ingest 扫描件.pdf --dry-run\n\n"
    "由此生成的文档若被人改过，会原样保留，不再覆盖。\n"
    "另一文件夹中的同名来源会成为并存的另一份文档；--replace 则替换原文档。\n"
    "文档的内容同时记入记忆（见 `almanac memory`）；中断后再次运行即可继续。\n"
    "退出码：0 全部读取；2 参数有误；4 有文档无法读取；5 无法写入。",
    "cli_ingest_source": "一个文档，或一个装有文档的文件夹",
    "cli_ingest_into": "新文档放在知识库下的哪个文件夹（默认：imported）",
    "cli_ingest_title": "标题（只用于单个文档；默认取第一个标题）",
    "cli_ingest_type": "文档类型，例如 manual、contract",
    "cli_ingest_valid_to": "有效期最后一天，YYYY-MM-DD",
    "cli_ingest_replace": "另一文件夹中的同名来源将替换其文档",
    "cli_ingest_no_memory": "只写入文档，不记入记忆",
    "ingest_beside": "  与 {path} 并存：后者来自另一个 {source}。若是同一文档，请删除其一，下次使用 --replace。",
    "ingest_remembered": "  记忆：{counts}",
    "ingest_not_remembered": "  ! 未记入记忆：{reason}",
    "ingest_done_memory": "已在记忆中 {done}，失败 {failed}",
    "cli_ingest_dry_run": "只读取并报告，不写入任何文件",
    "ingest_written": "{source} -> {path}：{pages} 页，{blocks} 块，{tables} 个表格，{images} 张图片",
    "ingest_replaced": "{source} -> {path}：已重新写入；{pages} 页，{blocks} 块，{tables} 个表格，{images} 张图片",
    "ingest_unchanged": "{source}：{path} 已是最新",
    "ingest_kept": "{source}：{path} 被人改过，已原样保留。如需重新生成，请先把它移走。",
    "ingest_would": "{source} 将成为 {path}：{pages} 页，{blocks} 块，{tables} 个表格，{images} 张图片",
    "ingest_skipped": "{source}：未收入。{reason}",
    "ingest_scans": "  有 {count} 页是没有文字的图片。安装 tesseract（含 chi_sim）或 rapidocr 后请重新读取。",
    "ingest_unreadable": "  有 {count} 页无法读取，文档中已注明。",
    "ingest_nothing": "{path}：没有可读取的文档。",
    "ingest_done": "写入 {written}，已是最新 {same}，保留 {kept}，未读取 {failed}",
    "ingest_would_done": "将写入 {written}，已是最新 {same}，保留 {kept}，未读取 {failed}",
    "ingest_outside": "--into {path}：必须是知识库下的文件夹，例如 machinery/pump。",
    "ingest_deep": "--into {path}：最多三层文件夹。",
    "ingest_title_many": "--title 只用于单个文档，而这里有 {count} 个。",
    "ingest_shipped": "程序自带的知识库每次更新都会被替换。请指定自己的文件夹：--knowledge DIR",
    "ingest_no_source": "{path}：没有这个文件或文件夹。",
}
