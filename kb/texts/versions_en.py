"""English texts: versions of the knowledge."""

TEXTS: dict[str, str] = {
    "versions_no_repository": (
        "{path} is not in a Git repository, and versions are kept in one. Make one with almanac kb init, or name "
        "another folder with --knowledge."
    ),
    "versions_conflict": "{path} has a merge conflict. Finish the merge, then try again.",
    "versions_bad_name": "The file name {path} is not UTF-8. Rename the file.",
    "versions_locked": (
        "Another git program is at work here ({path}). Wait until it is done; if none is, remove that file."
    ),
    "versions_uncommitted": (
        "Files that differ from the last commit ({count}):\n  {names}\n"
        "Commit them, or take them along with --include-changes."
    ),
    "versions_nothing": "{path} has no commit yet. Commit the documents, or take them along with --include-changes.",
    "version_not_number": "{version} is not a version number such as 1.2.0.",
    "version_taken": "{tag} exists already; the newest is {newest}. Choose another number.",
    "version_unknown_name": "There is no version {version} here. Known: {known}",
    "version_without_manifest": "{version} has no manifest.json: it was not made by `almanac snapshot`.",
    "version_other_manifest": (
        "The manifest in {version} is not the one that its tag names: the tag was moved or the commit replaced."
    ),
    "manifest_damaged": "{path} is not a sound manifest ({reason}). Take a new snapshot.",
    "manifest_schema": "{path} is a manifest of kind {schema}, which this program does not know. Use a newer one.",
    "registry_unusable": "The registry of versions {path} cannot be used: {reason}. Restore it from a backup.",
    "registry_newer": "The registry of versions {path} was made by a newer program. Use that one.",
    "release_ambiguous": "{version} names several releases: {names}. Name one of these.",
    "release_missing": "The release {tag} is not in {path} or is damaged. Make it again with: almanac publish {tag}",
    "release_other": (
        "The folder {path} does not hold the release {tag} that the registry names. Make it again with: "
        "almanac publish {tag}"
    ),
    "release_mismatch": (
        "What git holds of {tag} is not what its manifest says: {names}. Check the repository with git "
        "fsck; nothing was published."
    ),
    "release_in_use": (
        "{tag} is still needed by a route (live, coming, or kept for a rollback). See: almanac route list"
    ),
    "route_first_is_whole": "Nothing is live there yet: the first release goes to everybody (leave --weight out).",
    "route_no_previous": "There is no release before the live one in {environment}. Name one with --to.",
    "promote_nothing": (
        "There is nothing to promote in {env}: no release is coming, and none is live that could go further."
    ),
    "publish_drafts": (
        "{tag} holds drafts ({count}):\n  {names}\nRelease them first, or publish without them: --leave-out-drafts."
    ),
    "publish_no_tag": "There is no version of {path} yet. Make one with: almanac snapshot",
    "impact_no_questions": (
        "There are no questions in {path}. Put some there (questions: [..]), or name a file with --questions."
    ),
    "impact_bad_question": (
        '{path}, line {line}: not a question. Write `questions:` with a list of texts, or JSON lines with "question".'
    ),
    "impact_too_many": "{path} holds more than {limit} questions.",
    "impact_nothing_live": "Nothing is live yet that answers could be compared with.",
    "verify_no_manifest": "There is no {path} to compare with. Make one with: almanac snapshot",
    "bad_time": "{value} is not a time of the form 2026-12-01T06:00.",
    "snapshot_taken": "{tag}: {documents} documents, manifest {digest}, commit {commit}.",
    "snapshot_same": "Nothing has changed since {tag}: {documents} documents, manifest {digest}, commit {commit}.",
    "snapshot_link": "{path} is a link or another repository; releases leave it out.",
    "diff_none": "{old} and {new} hold the same.",
    "diff_counts": (
        "{old} → {new}: {added} documents added, {removed} removed, {changed} changed, {moved} moved; "
        "{files} other files."
    ),
    "diff_numbers": "Numbers that changed ({count}):",
    "diff_moved_from": "was {path}",
    "plan_head": "{tag} for {agent} in {env} (live now: {live})",
    "plan_answering": "Documents that answer from today: {count}.",
    "plan_drafts": "Drafts, which stay out ({count}):",
    "plan_reviewing": "Under review, which stay out until they are released ({count}):",
    "plan_expired": "Expired, which are never cited as current ({count}):",
    "plan_coming": "Not yet valid, which stay out until their day ({count}):",
    "plan_same": "Nothing changes for anybody.",
    "plan_agent": "What {agent} will see differently ({count}):",
    "plan_all_agents": "every agent",
    "built_before": "The release was built before; its files are as its manifest says.",
    "built_vectors": "Built: {documents} documents; {embedded} of {chunks} passages embedded anew.",
    "built_words": "Built: {documents} documents, search by words (no embedder).",
    "publish_done": "{tag} is live in {env} (before: {live}). Back with: almanac rollback",
    "publish_gradual": "{tag} answers {weight}% of the users in {env} from {starts} on, {live} the others. "
    "For everybody: almanac promote. Back with: almanac rollback",
    "publish_stopped": "Nothing was switched. Run it again with --yes when these answers are what you want.",
    "impact_head": "{changed} of {asked} answers change.",
    "verify_same": "{name}: every file is as the manifest says.",
    "verify_differs": "{name}: {missing} files missing, {extra} not in the manifest, {changed} changed.",
    "route_everybody": "everybody",
    "route_none": "No release is routed: the documents inside the program answer.",
    "route_next": "coming: {tag} for {weight}% from {starts}",
    "route_previous": "before: {tag}",
    "route_answers": "User {user} is answered from {version}.",
    "route_snapshot": "{tag}  {state}  {documents} documents  {date}",
    "state_active": "live",
    "state_built": "built",
    "state_named": "not built",
    "state_retired": "retired",
    "retire_freed": "{name} is freed.",
    "retire_later": "{name} is still being read; it goes with the next publish.",
    "retire_none": "There is nothing to free.",
    "progress_manifest": "Reading versions",
    "progress_impact": "Asking both versions",
    "cli_version_env": "environment: dev, test or prod (default: prod)",
    "cli_version_agent": "only for this agent (default: everybody who has no route of their own)",
    "cli_version_by": "who does it (default: the system's user name)",
    "cli_version_why": "why; it stands in the log of switches",
    "cli_snapshot": "name the present state of the knowledge: manifest.json, a commit and a tag kb-X.Y.Z",
    "cli_snapshot_examples": (
        'Examples:\n  almanac --knowledge ./kb snapshot -m "soybean potassium revised"\n  almanac '
        "snapshot --bump patch --include-changes\n  almanac snapshot --version 2.0.0\n\nExit code 4: files "
        "differ from the last commit, or a document cannot be read."
    ),
    "cli_snapshot_version": "the number (default: the next one)",
    "cli_snapshot_bump": (
        "which part of the number to raise (default: minor; patch for wording, major for a new structure)"
    ),
    "cli_snapshot_message": "what this version is about",
    "cli_snapshot_changes": "commit what has changed along with it",
    "cli_diff": "what differs between two versions: numbers first, then fields and sentences",
    "cli_diff_examples": (
        "Examples:\n  almanac diff kb-1.0.0 kb-1.1.0\n  almanac diff 1.1.0            (what changed "
        "since)\n  almanac diff 1.0.0 1.1.0 --json"
    ),
    "cli_diff_old": "a version, branch or commit",
    "cli_diff_new": "another one (default: the last commit)",
    "cli_verify": "compare the files with the manifest: the tree here, or a version and its release",
    "cli_verify_examples": (
        "Examples:\n  almanac --knowledge ./kb verify\n  almanac verify kb-1.1.0 --json\n\nExit code 0: as "
        "the manifest says, 4: files are missing, extra or changed."
    ),
    "cli_verify_tag": "a version (default: the tree as it lies here)",
    "cli_publish": "make a version answer: build its index beside the live one, then switch at once",
    "cli_publish_examples": (
        "Examples:\n  almanac publish kb-1.1.0 --dry-run\n  almanac publish kb-1.1.0 --impact --questions "
        'questions.yaml\n  almanac publish kb-1.1.0 --weight 20 --why "trial"      then: almanac '
        "promote\n  almanac publish kb-1.1.0 --at 2026-12-01T06:00\n\nExit code 4: drafts in the version, "
        "or answers change and --yes was not given."
    ),
    "cli_publish_tag": "the version (default: the newest)",
    "cli_publish_weight": "share of the users who get it for now; the same users each time",
    "cli_publish_at": "from this time on (2026-12-01T06:00); the index is built now",
    "cli_publish_drafts": "publish although the version holds drafts; they do not answer",
    "cli_publish_dry": "only say what would happen (with --impact the release is built, but not switched to)",
    "cli_publish_impact": "ask the saved questions of both versions first and list the answers that change",
    "cli_publish_questions": "file with the questions (default: questions.yaml or .jsonl in the knowledge)",
    "cli_publish_yes": "switch although answers change",
    "cli_rollback": "go back to the release before, at once",
    "cli_rollback_examples": (
        'Examples:\n  almanac rollback --why "wrong dose in 1.1.0"\n  almanac rollback --to kb-1.0.0 --env test'
    ),
    "cli_rollback_to": "go to this version instead",
    "cli_promote": (
        "give a gradual release to everybody, or take what is live to the next environment (dev, test, prod)"
    ),
    "cli_promote_examples": (
        "Examples:\n  almanac promote                   20% -> 100% in prod\n  almanac promote --env "
        "dev         dev -> test\n  almanac promote --env dev --to prod"
    ),
    "cli_promote_to": "take it to this environment",
    "cli_retire": "free the disk space of releases that no route uses",
    "cli_retire_examples": "Examples:\n  almanac retire kb-1.0.0\n  almanac retire --unused",
    "cli_retire_tag": "the version",
    "cli_retire_unused": "all that no route uses",
    "cli_route": "which version answers whom: list, show, set, drop, log",
    "cli_route_examples": (
        "Examples:\n  almanac route list\n  almanac route show --agent support --user 1042\n  almanac "
        "route set kb-1.1.0 --agent support\n  almanac route log"
    ),
    "cli_as_agent": "answer as this agent's release says (default: $ALMANAC_AGENT)",
    "cli_as_user": "the user who asks, for gradual releases (default: $ALMANAC_USER)",
    "cli_in_env": "environment whose release answers (default: $ALMANAC_ENV, else prod)",
    "bad_environment": "ALMANAC_ENV is {value}; it may be dev, test or prod.",
    "release_changed": "Files of the release {tag} are not as its manifest says: {names}. Make it "
    "again with: almanac publish {tag}",
    "route_lost": "The route in {env} needs {tag}, which is not built. Make it again with: almanac publish {tag}",
    "release_stray": "{path} belongs to no version that the registry knows. It can be deleted.",
    "cli_route_action": "list: all routes and versions; show: which version answers a user; set: give an agent a "
    "release of its own; drop: take it away; log: every switch, who and why",
    "cli_route_tag": "for set: the version",
    "cli_route_user": "for show: the user",
    "route_needs_tag": "`route set` needs a version: almanac route set kb-1.1.0 --agent NAME",
}
