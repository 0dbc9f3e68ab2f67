"""Chinese texts: updates from a stick."""

TEXTS: dict[str, str] = {
    # the medium and what lies on it
    "update_medium": "无法读取 {path}（{reason}）。没有改动任何内容。请重新插好 U 盘再试。",
    "update_too_many": "{path} 里的文件超过 {most} 个。请把更新放进单独的文件夹，并用 --from 指明。",
    "update_not_plain": "拒绝 {path}：它是链接，或不是普通文件。没有改动任何内容。",
    "update_side_file": "{path} 不是对应文件的校验和或签名。没有改动任何内容。请重新复制更新。",
    "update_digest": "{path} 不是当初制作的文件：校验和不同。没有改动任何内容。请重新复制。",
    # signatures
    "update_key_unreadable": (
        "无法读取公钥 {path}（{reason}）。它在那里时不接受任何更新。请放入正确的公钥，或删除该文件。"
    ),
    "update_key_unknown": "这里没有公钥 {name}。已有：{known}",
    "update_unsigned": "{path} 没有签名，而这里只接受您的公钥（{keys}）签过名的更新。没有改动任何内容。",
    "update_signature_damaged": "无法读取 {path} 的签名（{reason}）。没有改动任何内容。",
    "update_signer_unknown": (
        "{path} 由公钥 {signer} 签名，但这里没有人信任过它。没有改动任何内容。如果这是供应方的公钥，请向对方"
        "索取公钥本身（不要用这个 U 盘上的），再执行：almanac update trust 文件"
    ),
    "update_signature_wrong": "{path} 不是公钥 {signer} 签名的内容：文件或签名被改过。这里没有改动任何内容。",
    # the verb
    "cli_update": "从 U 盘获取更新的知识或程序，先检查、展示，再替换",
    "cli_update_examples": (
        "示例：\n  almanac update                      查看已挂载的 U 盘，展示、询问、替换\n"
        "  almanac update check --from /media/usb --json\n  almanac update --from /media/usb --yes\n"
        "  almanac update --undo               退回上一次更新之前\n"
        "  almanac update make /media/usb      把最新的知识版本写成更新文件\n"
        "  almanac update trust owner.pub      此后只接受这个公钥签名的更新\n\n"
        "退出码：0 完成或没有更新；2 用法错误、无人确认、没有可撤销的；3 保持原样；"
        "4 被拒绝（损坏、未签名、更旧、历史不同、试答未通过）；5 磁盘、U 盘、自检。"
    ),
    "cli_update_action": "check：只查看；make：把更新写入 TARGET；keys、trust、distrust：接受谁的更新",
    "cli_update_target": "make：文件夹；trust：公钥文件或公钥；distrust：公钥编号",
    "cli_update_from": "查看这个文件夹或文件（可重复），而不是已挂载的 U 盘",
    "cli_update_only": "只更新知识，或只更新程序",
    "cli_update_undo": "退回上一次更新之前",
    "cli_update_older": "也接受更旧的版本",
    "cli_update_unrelated": "接受与现有知识无延续关系的知识",
    "cli_update_tag": "make：指定版本（默认最新）",
    "cli_update_yes": "不询问",
    "update_needs_target": "almanac update {action} 需要目标。参见：almanac update --help",
    "update_stray_target": "{target} 在这里没有意义。参见：almanac update --help",
    "update_looked": "已查看：{places}",
    "update_nothing": "那里没有更新。",
    "update_nothing_newer": "那里没有比现用版本更新的内容。",
    "update_own": "随程序提供的内容",
    "update_offer_knowledge": "知识 {version}（现用：{installed}）{file}，{size} MB",
    "update_offer_program": "程序 {version}（现用：{installed}）{file}，{size} MB",
    "update_same": "  已在使用",
    "update_older_note": "  并不比现用的新",
    "update_signed": "  由 {id} 签名：{comment}",
    "update_not_signed": "  没有签名：只核对了校验和",
    "update_first": "  将接替随程序提供的文档；那些文档仍保留在程序里",
    "update_unrelated_note": "  ! 不是从这里现用的知识延续而来",
    "update_knowledge_stays": "  正在使用的知识保持不变",
    "update_changes": ("  {numbers} 处数字改变；文档：改动 {changed}，新增 {added}，删除 {removed}，移动 {moved}"),
    "update_ask": "\n要替换为 {names} 吗？请输入 yes：",
    "update_left": "保持原样。",
    "update_done_knowledge": "现在由知识 {version} 回答（之前：{previous}）。",
    "update_done_program": "程序 {version} 已就位（之前：{previous}），并已在本机通过自检。",
    "update_tried": "启用前已试答：{asked} 个问题和标题中 {good} 个正常。",
    "update_restart": "正在运行的程序在重新启动前仍用旧版。退回：almanac update --undo",
    "update_back": "已打开的界面从下一个问题起使用新知识。退回：almanac update --undo",
    "update_other_environment": "  ! 更新的是 {changed} 环境；本机由 {asked} 环境回答，保持不变。",
    "update_undone_knowledge": "已退回：重新由 {version} 回答（之前：{previous}）。",
    "update_undone_program": "已退回：程序 {version} 重新就位（之前：{previous}）。",
    "update_made": "已制作并检查：{path}（{size} MB）：{tag}，{documents} 份文档",
    "update_made_sign": "签名方法：minisign -S -m {name}（会在旁边生成 {name}.minisig）",
    "update_keys_none": "没有保存公钥：更新只凭校验和接受。",
    "update_keys_required": "只接受由这些公钥之一签名的更新。",
    "update_key_shown": "公钥 {id}\n  {line}",
    "update_key_ask": "请与公钥主人通过其他途径告诉您的内容核对。要保存吗？请输入 yes：",
    "update_key_kept": "已保存。从现在起只接受由已保存公钥签名的更新。",
    "update_key_gone": "已移除公钥 {id}。",
    # what is refused
    "update_running": "这里正在进行另一个更新。请等它完成。",
    "update_no_medium": "没有挂载 U 盘。请插入 U 盘，或用 --from 指明更新所在的文件夹。",
    "update_no_digest": "{path} 旁边既没有校验和也没有签名（{name}），无法判断文件是否完整。没有改动任何内容。",
    "update_no_version": "{path} 里没有知识版本（kb-X.Y.Z）。制作更新请用：almanac update make",
    "update_not_version": "{version} 不是 kb-X.Y.Z 形式的版本。请先执行：almanac snapshot",
    "update_other_file": "{path} 不是刚才检查过的文件。没有改动任何内容。请重新检查。",
    "update_older": (
        "{version} 并不比现用的 {installed} 新。没有改动任何内容。要退回请用：almanac update --undo，或 --allow-older。"
    ),
    "update_unrelated": (
        "{path}：{version} 不是从这里现用的 {installed} 延续而来：它是另一套知识，或历史被改写过。没有改动任何内容。"
        "仍要使用请加：--allow-unrelated"
    ),
    "update_tag_moved": "这里已有内容不同的 {tag}。版本发出后从不更改，因此拒绝这个更新。没有改动任何内容。",
    "update_trial": "{version} 没有通过试答，仍由原来的版本回答。{asked} 个问题中有 {count} 个不再能回答：\n  {names}",
    "update_machine": "{path} 适用于另一种计算机（{machine}，本机是 {here}）。没有改动任何内容。",
    "update_not_packed": "这不是打包的程序，没有可替换的文件。请更新源代码。",
    "update_self_test": "新程序在这台计算机上没有通过自检，继续使用现有程序：\n  {reason}\n（{path}）",
    "update_nothing_to_undo": "没有可撤销的更新，或之后又有别的改动。",
    "progress_update": "正在检查更新",
    "progress_update_program": "正在读取新程序",
    "progress_update_self_test": "新程序正在自检",
    "progress_update_make": "正在制作更新",
}
