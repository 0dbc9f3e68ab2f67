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
