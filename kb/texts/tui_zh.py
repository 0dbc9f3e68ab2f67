"""Chinese texts of the interface."""

TEXTS: dict[str, str] = {
    # header
    "tui_documents": "{count} 份文档",
    "tui_model_loading": "模型加载中",
    "tui_model_ready": "模型就绪",
    "tui_model_spare": "原文作答",
    "tui_model_absent": "只引用原文",
    "tui_model_failed": "只引用原文，模型不可用",
    "tui_starting": "正在启动",
    # key line
    "tui_key_ask": "提问",
    "tui_key_sources": "来源",
    "tui_key_helpful": "有用",
    "tui_key_wrong": "有误",
    "tui_noted_helpful": "已记下：{title} 有用。",
    "tui_noted_wrong": "已记下，交负责人核对：{title} 有误。",
    "tui_key_open": "打开",
    "tui_key_documents": "文档",
    "tui_key_help": "帮助",
    "tui_key_more": "更多",
    "tui_key_stop": "停止",
    "tui_key_back": "返回",
    "tui_key_move": "选择",
    "tui_key_next": "下一处",
    "tui_key_find": "查找",
    "tui_key_outline": "目录、表格",
    "tui_key_language": "English",
    "tui_key_show": "查看",
    # ask
    "tui_placeholder": "请输入问题，或按 / 搜索文档",
    "tui_placeholder_short": "输入问题，/ 搜索",
    "tui_welcome": "您想知道什么？",
    "tui_welcome_hint": "输入问题后按回车。答案出自文档，并注明来源。",
    "tui_starters": "例如",
    "tui_searching": "正在查找文档 …",
    "tui_waiting_index": "首次读取文档，读完即答。",
    "tui_wording": "已找到，正在组织答案 …",
    "tui_cancelled": "已停止。",
    "tui_cancelled_sources": "已停止。下面的来源仍可查看。",
    "tui_way_quote": "原文",
    "tui_way_checked": "已核对",
    "tui_resolved_as": "理解为：{question}",
    "tui_way_replaced": "{count} 句已换成原文",
    "tui_gap_noted": "这个问题已记下，供资料负责人补充。",
    "tui_sources": "来源",
    "tui_differ": "文档之间有差异，最新的排在前面：",
    "tui_more_limits": "还有 {count} 条限制：按 F10、m 查看",
    "tui_updated": "更新于 {date}",
    "tui_refused": "文档里没有说明。",
    "tui_looked_for": "查找的内容：{words}",
    "tui_nearest": "最接近的文档",
    "tui_nothing_near": "没有相近的文档。请换个说法，或按 / 浏览文档。",
    "tui_references": "文中依据：{references}",
    "tui_no_references": "文中未注明标准。",
    "tui_valid_to": "有效期至 {date}",
    "tui_valid_from": "{date} 起有效",
    "tui_version": "版本 {version}",
    "tui_updated_on": "更新于 {date}",
    "tui_source_of": "来源 {number}",
    "tui_confidence": "匹配度 {percent} %",
    "tui_console_font": "This console cannot show Chinese characters. Install fbterm or kmscon, or connect "
    "from another terminal; F9 switches to English.",
    # states of documents
    "tui_expired": "{date} 已过期",
    "tui_future": "尚未生效，{date} 起有效",
    "tui_draft": "草稿",
    "tui_reviewing": "审核中",
    "tui_mark_expired": "已过期",
    "tui_mark_future": "未生效",
    "tui_mark_draft": "草稿",
    "tui_mark_reviewing": "审核中",
    # reader
    "tui_loading": "正在打开 …",
    "tui_place": "第 {number} 处，共 {count} 处",
    "tui_find_in": "在本文档中查找",
    "tui_not_found": "没有找到：{words}",
    "tui_picture": "[图片：{alt}] {path}",
    "tui_picture_missing": "[图片：{alt}] {path}（未找到）",
    "tui_picture_loading": "[图片：{alt}]",
    "tui_named_standards": "标准与依据",
    "tui_empty_document": "这份文档是空的。",
    "tui_long_document": "文档很长，按纯文本显示。",
    "tui_outline": "目录",
    "tui_link_outside": "该链接指向文档之外，不予打开。",
    # browser
    "tui_browser": "文档",
    "tui_filter": "输入文字搜索文档",
    "tui_no_match": "没有找到：{words}",
    "tui_reading": "正在读取文档 …",
    "tui_found": "找到 {count} 处",
    # history, session, info
    "tui_changes": "最近变更",
    "tui_week": "第 {week} 周，{first} 至 {last}",
    "tui_added": "新增",
    "tui_modified": "修改",
    "tui_deleted": "删除",
    "tui_renamed": "移动",
    "tui_release_changed": "现在依据 {version} 回答。",
    "tui_no_changes": "没有变更记录。",
    "tui_gone": "这份文档已不存在。",
    "tui_earlier": "问过的问题",
    "tui_no_questions": "本次还没有提过问题。",
    "tui_state_done": "已回答",
    "tui_state_refused": "文档未说明",
    "tui_state_failed": "出错",
    "tui_state_cancelled": "已停止",
    "tui_state_running": "进行中",
    "tui_info": "关于本机 Almanac",
    "tui_info_version": "知识版本",
    "tui_info_documents": "文档",
    "tui_info_sections": "小节",
    "tui_info_meaning": "语义检索",
    "tui_info_model": "回答模型",
    "tui_info_processor": "处理器库",
    "tui_info_home": "数据文件夹",
    "tui_info_knowledge": "文档文件夹",
    "tui_info_problems": "有问题的文件",
    "tui_info_none": "无",
    "tui_info_prepared": "{total} 个小节中已准备 {done} 个",
    "tui_info_state_absent": "未配置",
    "tui_info_state_spare": "备用（原文作答不需要）",
    "tui_info_state_loading": "加载中",
    "tui_info_state_ready": "就绪",
    "tui_info_state_failed": "不可用",
    "tui_info_line": "第 {line} 行",
    "tui_unknown": "未知",
    # more
    "tui_more": "更多",
    "tui_more_ask": "提问",
    "tui_more_documents": "文档",
    "tui_more_earlier": "问过的问题",
    "tui_more_changes": "文档最近变更",
    "tui_more_info": "关于本机 Almanac",
    "tui_more_doctor": "程序与机器状态",
    "tui_doctor": "程序与机器状态",
    "tui_doctor_well": "一切正常。",
    "tui_doctor_ill": "有问题：见标有 ! 的行",
    "tui_more_theme": "配色：{theme}",
    "tui_more_language": "语言：中文 → English",
    "tui_more_help": "帮助",
    "tui_more_quit": "退出",
    "tui_theme_light": "浅色（阳光下）",
    "tui_theme_dark": "深色",
    "tui_theme_plain": "朴素（无颜色）",
    # progress
    "tui_progress_index": "正在读取文档",
    "tui_progress_embed": "正在准备语义检索",
    "tui_progress_verify": "正在校验模型",
    "tui_progress_unpack": "正在解包",
    "tui_progress_line": "{what}  {percent} %  {left}",
    "tui_left_seconds": "约剩 {count} 秒",
    "tui_left_minutes": "约剩 {count} 分钟",
    # trouble
    "tui_trouble": "这一步没有成功（{kind}）。内容没有丢失，请再试一次。",
    # help
    "tui_help": "帮助",
    "tui_help_text": """\
提问
输入问题后按回车。先出现来源，答案随后显示在来源上方。
每个答案都注明文档。“原文”是文档自己的话；“已核对”表示由模型措辞，\
其中每个数字都在来源里找到了。
文档没有说明的，Almanac 会直说没有。

按键
Enter       提问；或打开选中的来源
Tab         在问题与来源之间切换
o           打开选中的来源
+ / -       选中的来源有用，或有误
PgUp、PgDn  滚动答案
/           搜索文档（问题为空时）
Esc         停止回答，或返回
F1          帮助
F2          文档
F4          问过的问题
F5          最近变更
F6          关于本机
F8          配色
F9          中文 / English
F10         更多
{quit}
阅读
方向键      滚动；PgUp、PgDn 翻页
n / N       下一处、上一处
v           文档的各个版本
/           在文档中查找
Tab         目录与表格；方向键滚动表格

处处可用鼠标：点来源、例题或底行的字。""",
    "tui_help_quit": "Ctrl+Q      退出",
}
