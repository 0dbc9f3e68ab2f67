"""Chinese texts: what MCP servers tell agents, and people who connect them."""

TEXTS: dict[str, str] = {
    "cli_mcp": "通过标准输入输出以 MCP 为智能体服务",
    "cli_mcp_examples": "示例：\n"
    "  almanac mcp kb                          检索、卡片、反馈\n"
    "  almanac mcp versions                    当前是哪一版知识，改了什么\n"
    "  almanac mcp db --database farm.sqlite   对一个 SQLite 文件执行只读 SQL\n"
    "  almanac mcp log --folder /var/log/farm  在日志文件中查找文本\n"
    "  almanac mcp req                         知识仓库中的需求与合并请求\n"
    "客户端结束时服务随之结束。客户端如何配置见 README.md。",
    "cli_mcp_server": "kb、versions、db、log 或 req",
    "cli_mcp_agent": "所连接智能体的名称，记入台账",
    "cli_mcp_database": "`mcp db` 使用的 SQLite 文件",
    "cli_mcp_folder": "`mcp log` 使用的文件夹",
    "mcp_no_tool": "没有工具 {name}。现有：{known}。",
    "mcp_bad_arguments": "参数 {where} 不符合要求：{why}",
    "mcp_failed": "{tool} 未能执行（{kind}）。请重试；详情见服务日志。",
    "mcp_kb_about": "团队知识：带出处与版本的文档。回答前先检索，引用所用内容；找不到时如实说明。",
    "mcp_search_knowledge_title": "检索知识库",
    "mcp_search_knowledge": "查找知识库中能回答问题的段落（中文或英文），每段附文档、标题、行号、版本与有效期。"
    "found=false 表示文档没有写。",
    "mcp_lookup_knowledge_title": "查错误码或术语",
    "mcp_lookup_knowledge": "错误码、术语或短语所指的文档，最多返回 2,000 个字符。",
    "mcp_get_card_title": "读取卡片",
    "mcp_get_card": "按编号读取一张知识卡片：结论、要做与不要做、依据、负责人、有效期。",
    "mcp_feedback_card_title": "反馈卡片",
    "mcp_feedback_card": "说明卡片有帮助或有误。反馈记入台账，负责人会看到。",
    "mcp_versions_about": "当前由哪一版知识回答，以及其中改了什么。",
    "mcp_current_title": "当前版本",
    "mcp_current": "当前回答所用知识的版本：标签、清单、提交。",
    "mcp_history_title": "变更历史",
    "mcp_history": "知识或某一文档的最近变更，从新到旧。",
    "mcp_diff_title": "差异",
    "mcp_diff": "一次提交或标签的改动，以统一差异格式给出，过长则截断。",
    "mcp_db_about": "对一个 SQLite 数据库执行只读 SQL。先查看表结构再写查询。",
    "mcp_run_sql_title": "执行 SQL",
    "mcp_run_sql": "执行一条 SELECT 语句，返回列与行。不能写入；每条语句限时两秒。",
    "mcp_describe_table_title": "查看表结构",
    "mcp_describe_table": "表与视图的列、类型和主键；可指定其一，默认全部。",
    "mcp_log_about": "在日志文件中逐字查找。",
    "mcp_query_logs_title": "查找日志",
    "mcp_query_logs": "日志文件中包含某段文本的行，附文件、行号与时间。complete=false 表示还有更多。",
    "mcp_get_trace_title": "追踪",
    "mcp_get_trace": "所有文件中提到某个标识的行，按时间排列。",
    "mcp_req_about": "知识仓库中的需求与合并请求。",
    "mcp_get_requirement_title": "读取需求",
    "mcp_get_requirement": "按编号读取需求：标题、状态、字段与正文。",
    "mcp_get_mr_detail_title": "读取合并请求",
    "mcp_get_mr_detail": "等待评审的提案或一次提交改了什么：作者、说明、文件、差异。",
    "mcp_needs_database": "请指定 SQLite 文件：almanac mcp db --database FILE",
    "mcp_needs_folder": "请指定日志文件夹：almanac mcp log --folder DIR",
    "mcp_no_folder": "没有文件夹 {path}。",
    "mcp_not_a_database": "{path} 不能作为 SQLite 数据库读取：{reason}。",
    "mcp_no_table": "没有表或视图 {table}。",
    "mcp_sql_refused": "语句被拒绝：{reason}。只允许一条读取语句。",
    "mcp_sql_too_long": "语句超过 {seconds} 秒，已停止（{reason}）。请缩小范围。",
    "mcp_no_requirement": "{folder}/ 中没有需求 {id}。",
}
