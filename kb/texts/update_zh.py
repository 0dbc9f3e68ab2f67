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
}
