"""English texts: backup, restore, damage, the versions of a document, the calendar of validity."""

TEXTS: dict[str, str] = {
    # bundles
    "bundle_foreign": "{path} is not a backup of Almanac and not a Git bundle. Choose a file kb-….bundle.",
    "bundle_cut": "{path} is cut short. Nothing was changed. Use another backup, or copy this one again.",
    "bundle_incremental": "{path} holds only what changed since another bundle, so it cannot bring anything back "
    "alone. Use a full backup.",
    "bundle_empty": "{path} holds no version of any document. Nothing was changed.",
    "bundle_damaged": "{path} is damaged ({reason}). Nothing was changed. Use another backup.",
    "bundle_digest": "{path} is not the file that was saved: its checksum differs. Nothing was changed. Use another "
    "backup; `almanac backup --verify` tells which are good.",
    "bundle_bad_path": "{path} is refused: {name} would be written outside the knowledge folder, or be obeyed by git. "
    "Nothing was changed.",
    "bundle_submodule": "{path} is refused: {name} is a submodule, whose documents are not in the file.",
    "repository_elsewhere": "{path} names a repository that does not know this folder; it is not read.",
    # people's data
    "people_damaged": "The database {path} is damaged ({reason}).",
    "people_busy": "The database {path} was in use for {seconds} s by another program. Close it and try again.",
    "backup_unreadable": "The backup's own list of contents cannot be read ({reason}).",
    "backup_newer": "The backup was made by a newer Almanac. Restore it with that one.",
    # backup
    "cli_backup": "save knowledge and people's data into one checked file",
    "cli_backup_examples": "Examples:\n  almanac backup\n  almanac backup /media/usb --keep 7\n"
    "  almanac backup --verify\n\nExit codes: 0 saved (or all good), 4 something is damaged, 5 no space or no git.",
    "cli_backup_folder": "folder for the backups (default: backups in the home folder); a USB stick will do",
    "cli_backup_keep": "how many backups stay (default: %(default)s)",
    "cli_backup_days": "remove backups older than this many days; the newest always stays",
    "cli_backup_verify": "make none; read every backup in the folder and check it against the chain",
    "backup_running": "Another backup into {path} is running. Wait until it is done.",
    "backup_shallow": "{path} was cloned without its whole history, so no complete backup can be made of it. Fetch "
    "the rest with: git fetch --unshallow",
    "backup_file_limit": "The file system of {path} takes no file this large (FAT: 4 GB). Format the stick as exFAT, "
    "or choose another folder.",
    "backup_number": "--{option} takes a number from {least} to {most}.",
    "backup_made": "Saved and checked: {path} ({size} MB, {seconds} s)",
    "backup_knowledge": "  knowledge      {documents} documents, {references} branches and tags",
    "backup_changed": "  not committed  {changed} files, saved too",
    "backup_people": "  people's data  {databases} databases, {rows} rows",
    "backup_nested": "! not saved: {name} is a repository of its own. Back it up by itself.",
    "backup_removed": "  removed        {name} (older than what is kept)",
    "backup_head": "  chain          {head}",
    "backup_none": "There is no backup in {path}. Make one with: almanac backup",
    "backup_state_good": "good",
    "backup_state_missing": "MISSING",
    "backup_state_changed": "DAMAGED OR CHANGED",
    "backup_state_unlisted": "not in the chain",
    "backup_chain_broken": "The chain is broken at line {lines} of {path}: somebody changed it, or the disk did.",
    "backup_chain_whole": "The chain is whole. Its last line: {head}",
    "backup_all_good": "All {count} backups are good.",
    "backup_not_all_good": "{bad} of {count} backups cannot be relied on.",
    "progress_backup": "Saving",
    "progress_backup_verify": "Checking backups",
    # restore
    "cli_restore": "bring knowledge and people's data back from a backup",
    "cli_restore_examples": "Examples:\n  almanac restore /media/usb\n"
    "  almanac restore kb-20261130-020000.bundle --yes\n"
    "  almanac restore kb-20261130-020000.bundle --into ./knowledge\n\n"
    "Everything is checked before anything is replaced; what was there is renamed, not deleted.\n"
    "Exit codes: 0 restored, 3 left as it was, 4 the backup is damaged, 5 no space or no git.",
    "cli_restore_from": "a backup, or a folder of backups: then the newest good one",
    "cli_restore_into": "where the knowledge goes (default: as --knowledge, else knowledge in the home folder)",
    "cli_restore_yes": "do not ask",
    "no_good_backup": "There is no good backup in {path}.",
    "restore_running": "A restore is running in another window. Wait until it is done.",
    "restore_bad_target": "{path} cannot be replaced by a restored folder. Name another one with --into.",
    "restore_inner": "This backup holds a whole repository whose folder {inner} is the knowledge. Name a new folder "
    "for it with --into; {path} stays as it is.",
    "restore_plan_damaged": "{path} cannot be read. Delete it and restore again; nothing is lost.",
    "restore_passed_over": "! passed over: {name} ({state})",
    "restore_holds": "{path} is good. It holds:",
    "restore_from": "  made           {made}",
    "restore_knowledge": "  knowledge      {documents} documents, version {version}",
    "restore_will_replace": "{path} will be replaced; what is there now is renamed to {name}.damaged-…, not deleted.",
    "restore_will_make": "The knowledge will be placed in {path}.",
    "restore_will_people": "These people's data will be replaced the same way: {names}",
    "restore_ask": "Restore? Type yes: ",
    "restore_needs_yes": "Nobody is there to agree. Say it with --yes; nothing was changed.",
    "restore_left": "Left as it was.",
    "restore_done": "Restored from {bundle}: {path}",
    "restore_inside": "The documents lie in {path}. Start with: almanac --knowledge {path}",
    "restore_aside": "  what was there before lies in {path}",
    "restore_finished_first": "An earlier restore that was interrupted has been finished first: {path}",
    "restore_no_people": "The bundle holds no people's data; what is here stays as it is.",
    "restore_no_tags": "The bundle holds no tags, so releases have no names.",
    "restore_no_head": "The bundle does not say which branch is the current one; {detail} was taken.",
    "restore_head_only": "The bundle holds one commit without the name of its branch; it was named {detail}.",
    "restore_nested": "Not in the backup: the repository {detail} inside the tree.",
    "progress_restore": "Restoring",
    # rolling a document back
    "rollback_program": "The documents that came with the program cannot be changed here.",
    "rollback_uncommitted": "{path} has changes that are not committed yet. Commit them first, or undo them.",
    "rollback_same": "{path} is already like that.",
    "rollback_message": "docs({title}): back to the version of {date}",
    # damage
    "damage_unfinished": "A restore was interrupted. Everything is ready; it only has to be finished.",
    "damage_documents": "The knowledge folder {path} has a history, but its documents are gone.",
    "damage_repository": "The history of the knowledge in {path} is damaged.",
    "damage_people": "The database {path} is damaged.",
    "damage_remedy": "almanac restore {path}",
    "damage_no_backup": "There is no backup here. If one lies elsewhere: almanac restore FILE",
    "doctor_damage": "Damage",
    "doctor_backup": "Last backup",
}
