"""Chinese texts: versions of the knowledge."""

TEXTS: dict[str, str] = {
    "versions_no_repository": "{path} 不在 Git 仓库里，而版本保存在仓库中。请用 almanac kb init 建仓库，"
    "或用 --knowledge 指定其他文件夹。",
    "versions_conflict": "{path} 有合并冲突。请先完成合并再试。",
    "versions_bad_name": "文件名 {path} 不是 UTF-8 编码。请改名。",
    "versions_locked": "另一个 git 程序正在这里工作（{path}）。请等它结束；如果并没有，请删除该文件。",
    "versions_uncommitted": "有 {count} 个文件与最近一次提交不同：\n  {names}\n"
    "请先提交，或用 --include-changes 一并提交。",
    "versions_nothing": "{path} 还没有任何提交。请先提交文档，或用 --include-changes 一并提交。",
    "version_not_number": "{version} 不是 1.2.0 这样的版本号。",
    "version_taken": "{tag} 已经存在，最新的是 {newest}。请换一个版本号。",
    "version_unknown_name": "这里没有版本 {version}。已有：{known}",
    "version_without_manifest": "{version} 里没有 manifest.json：它不是用 `almanac snapshot` 做的。",
    "version_other_manifest": "{version} 里的清单与标签所记的不一致：标签被移动过，或提交被替换过。",
    "manifest_damaged": "{path} 不是完好的清单（{reason}）。请重新做快照。",
    "manifest_schema": "{path} 是第 {schema} 种清单，本程序不认识。请使用更新的程序。",
    "registry_unusable": "版本登记库 {path} 无法使用：{reason}。请从备份恢复。",
    "registry_newer": "版本登记库 {path} 由更新的程序创建。请使用那个程序。",
    "release_ambiguous": "{version} 对应多个发布：{names}。请指明其中一个。",
    "release_missing": "发布 {tag} 不在 {path}，或已损坏。请重新生成：almanac publish {tag}",
    "release_other": "文件夹 {path} 里不是登记库所记的发布 {tag}。请重新生成：almanac publish {tag}",
    "release_mismatch": "Git 中 {tag} 的内容与清单不符：{names}。请用 git fsck 检查仓库；没有发布任何内容。",
    "release_in_use": "仍有路由需要 {tag}（在用、即将启用，或留作回滚）。见：almanac route list",
    "route_first_is_whole": "那里还没有在用的版本：第一次发布面向所有人（请去掉 --weight）。",
    "route_no_previous": "{environment} 中没有更早的版本。请用 --to 指定一个。",
    "promote_nothing": "{env} 中没有可推进的内容：没有即将启用的版本，也没有可以继续推进的在用版本。",
    "publish_drafts": "{tag} 含有 {count} 份草稿：\n  {names}\n请先发布它们，或不带它们发布：--leave-out-drafts。",
    "publish_no_tag": "{path} 还没有版本。请先运行：almanac snapshot",
    "impact_no_questions": "{path} 里没有问题。请写入一些（questions: [..]），或用 --questions 指定文件。",
    "impact_bad_question": "{path} 第 {line} 行：不是问题。请写成 `questions:` 加文本列表，"
    '或含 "question" 的 JSON 行。',
    "impact_too_many": "{path} 里的问题超过 {limit} 个。",
    "impact_nothing_live": "还没有在用的版本可以比较。",
    "verify_no_manifest": "没有 {path} 可供核对。请先运行：almanac snapshot",
    "bad_time": "{value} 不是 2026-12-01T06:00 这样的时间。",
    "snapshot_taken": "{tag}：{documents} 份文档，清单 {digest}，提交 {commit}。",
    "snapshot_same": "自 {tag} 以来没有变化：{documents} 份文档，清单 {digest}，提交 {commit}。",
    "snapshot_link": "{path} 是链接或另一个仓库，发布中不含它。",
    "diff_none": "{old} 与 {new} 内容相同。",
    "diff_counts": "{old} → {new}：新增 {added} 份，删除 {removed} 份，修改 {changed} 份，移动 {moved} 份；"
    "其他文件 {files} 个。",
    "diff_numbers": "改变的数字（{count}）：",
    "diff_moved_from": "原为 {path}",
    "plan_head": "{tag} → {env} 的{agent}（当前：{live}）",
    "plan_answering": "从今天起有 {count} 份文档参与回答。",
    "plan_drafts": "{count} 份草稿不参与：",
    "plan_reviewing": "{count} 份评审中，发布前不参与：",
    "plan_expired": "{count} 份已失效，不会再作为现行内容引用：",
    "plan_coming": "{count} 份到生效日才参与：",
    "plan_same": "对任何人都没有变化。",
    "plan_agent": "{agent}将看到 {count} 份文档的变化：",
    "plan_all_agents": "所有智能体",
    "built_before": "该发布早已生成，文件与清单一致。",
    "built_vectors": "已生成：{documents} 份文档；{chunks} 段中有 {embedded} 段重新计算向量。",
    "built_words": "已生成：{documents} 份文档，只按词检索（没有向量模型）。",
    "publish_done": "{tag} 已在 {env} 启用（之前：{live}）。回退：almanac rollback",
    "publish_gradual": "自 {starts} 起，{env} 中 {weight}% 的用户由 {tag} 回答，其余由 {live} 回答。"
    "推给所有人：almanac promote。回退：almanac rollback",
    "publish_stopped": "没有切换。如果这些答案正是所要的，请加 --yes 再运行一次。",
    "impact_head": "{asked} 个问题中有 {changed} 个答案改变。",
    "verify_same": "{name}：所有文件与清单一致。",
    "verify_differs": "{name}：缺少 {missing} 个文件，多出 {extra} 个，改变 {changed} 个。",
    "route_everybody": "所有人",
    "route_none": "没有路由：由程序自带的文档回答。",
    "route_next": "即将启用：{tag}，{weight}%，自 {starts} 起",
    "route_previous": "之前：{tag}",
    "route_answers": "用户 {user} 由 {version} 回答。",
    "route_snapshot": "{tag}  {state}  {documents} 份文档  {date}",
    "state_active": "在用",
    "state_built": "已生成",
    "state_named": "未生成",
    "state_retired": "已撤下",
    "retire_freed": "{name} 已释放。",
    "retire_later": "{name} 仍在被读取；下次发布时释放。",
    "retire_none": "没有可释放的发布。",
    "progress_manifest": "读取版本",
    "progress_impact": "询问两个版本",
    "cli_version_env": "环境：dev、test 或 prod（默认 prod）",
    "cli_version_agent": "只针对这个智能体（默认：没有单独路由的所有人）",
    "cli_version_by": "操作人（默认：系统用户名）",
    "cli_version_why": "原因，写入切换记录",
    "cli_snapshot": "为知识的当前状态命名：manifest.json、一次提交和标签 kb-X.Y.Z",
    "cli_snapshot_examples": (
        '示例：\n  almanac --knowledge ./kb snapshot -m "修订大豆钾肥"\n  almanac snapshot --bump patch '
        "--include-changes\n  almanac snapshot --version 2.0.0\n\n"
        "退出码 4：有文件与最近一次提交不同，或有文档无法读取。"
    ),
    "cli_snapshot_version": "版本号（默认：下一个）",
    "cli_snapshot_bump": "提升版本号的哪一段（默认 minor；patch 为改字句，major 为结构调整）",
    "cli_snapshot_message": "这个版本的内容",
    "cli_snapshot_changes": "把未提交的修改一并提交",
    "cli_diff": "两个版本有何不同：先列数字，再列字段和句子",
    "cli_diff_examples": (
        "示例：\n  almanac diff kb-1.0.0 kb-1.1.0\n  almanac diff 1.1.0            （此后有何变化）\n  almanac diff "
        "1.0.0 1.1.0 --json"
    ),
    "cli_diff_old": "版本、分支或提交",
    "cli_diff_new": "另一个（默认：最近一次提交）",
    "cli_verify": "按清单核对文件：这里的文件夹，或某个版本及其发布",
    "cli_verify_examples": (
        "示例：\n  almanac --knowledge ./kb verify\n  almanac verify kb-1.1.0 --json\n\n退出码 "
        "0：与清单一致；4：有文件缺少、多出或改变。"
    ),
    "cli_verify_tag": "版本（默认：这里的文件夹）",
    "cli_publish": "让一个版本参与回答：先在旁边建好索引，再一次切换",
    "cli_publish_examples": (
        "示例：\n  almanac publish kb-1.1.0 --dry-run\n  almanac publish kb-1.1.0 --impact --questions "
        'questions.yaml\n  almanac publish kb-1.1.0 --weight 20 --why "试用"      然后：almanac promote\n  '
        "almanac publish kb-1.1.0 --at 2026-12-01T06:00\n\n退出码 4：版本含草稿，或答案有变化而未加 --yes。"
    ),
    "cli_publish_tag": "版本（默认：最新）",
    "cli_publish_weight": "先给多少百分比的用户；每次都是同一批用户",
    "cli_publish_at": "从这一时间起启用（2026-12-01T06:00）；索引现在就建",
    "cli_publish_drafts": "版本含草稿也发布；草稿不参与回答",
    "cli_publish_dry": "只说明会发生什么（加 --impact 时会生成发布，但不切换）",
    "cli_publish_impact": "先向两个版本提出保存的问题，列出改变的答案",
    "cli_publish_questions": "问题文件（默认：知识库中的 questions.yaml 或 .jsonl）",
    "cli_publish_yes": "答案有变化也切换",
    "cli_rollback": "立即退回之前的版本",
    "cli_rollback_examples": (
        '示例：\n  almanac rollback --why "1.1.0 剂量有误"\n  almanac rollback --to kb-1.0.0 --env test'
    ),
    "cli_rollback_to": "改为切换到这个版本",
    "cli_promote": "把灰度发布推给所有人，或把在用版本推到下一个环境（dev、test、prod）",
    "cli_promote_examples": (
        "示例：\n  almanac promote                   prod 中 20% -> 100%\n  almanac promote --env dev         "
        "dev -> test\n  almanac promote --env dev --to prod"
    ),
    "cli_promote_to": "推到这个环境",
    "cli_retire": "释放没有路由使用的发布所占的空间",
    "cli_retire_examples": "示例：\n  almanac retire kb-1.0.0\n  almanac retire --unused",
    "cli_retire_tag": "版本",
    "cli_retire_unused": "所有没有路由使用的",
    "cli_route": "哪个版本回答谁：list、show、set、drop、log",
    "cli_route_examples": (
        "示例：\n  almanac route list\n  almanac route show --agent support --user 1042\n  almanac route set "
        "kb-1.1.0 --agent support\n  almanac route log"
    ),
    "cli_as_agent": "按这个智能体的版本回答（默认：$ALMANAC_AGENT）",
    "cli_as_user": "提问的用户，用于灰度发布（默认：$ALMANAC_USER）",
    "cli_in_env": "由哪个环境的版本回答（默认：$ALMANAC_ENV，否则 prod）",
    "bad_environment": "ALMANAC_ENV 是 {value}；只能是 dev、test 或 prod。",
    "release_changed": "发布 {tag} 的文件与清单不符：{names}。请重新生成：almanac publish {tag}",
    "route_lost": "{env} 的路由需要 {tag}，但它没有生成。请重新生成：almanac publish {tag}",
    "release_stray": "{path} 不属于登记库中的任何版本，可以删除。",
    "cli_route_action": "list：全部路由和版本；show：某个用户由哪个版本回答；set：给一个智能体单独的版本；"
    "drop：取消它；log：每次切换、操作人和原因",
    "cli_route_tag": "用于 set：版本",
    "cli_route_user": "用于 show：用户",
    "route_needs_tag": "`route set` 需要版本：almanac route set kb-1.1.0 --agent 名称",
}
