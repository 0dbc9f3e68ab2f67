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
}
