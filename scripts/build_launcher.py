"""Compile the launcher (scripts/launcher/launcher.c) and pack the Python runtime that it unpacks.

The launcher is linked statically: it runs before anything is known of the machine's libraries.
"""

from __future__ import annotations

import json
import subprocess
import sys
import zlib
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from kb.errors import ExitCode  # noqa: E402
from kb.paths import BLOCK, DIRECTORY_MAGIC, SHORT  # noqa: E402
from kb.texts import CATALOGS, system_zh  # noqa: E402

SOURCE = PROJECT / "scripts" / "launcher" / "launcher.c"
# What the launcher says; {path}, {reason}, {free} and {wanted} are filled in.
KEYS = (
    "no_space", "not_writable", "not_executable", "write_failed", "start_failed", "executable_damaged",
    "processor_too_old", "progress_unpack",
)  # fmt: skip


def compile_launcher(work: Path, compiler: str = "cc") -> Path:
    """Build the launcher in `work` with a C compiler (a cross compiler for another machine); returns the program."""
    work.mkdir(parents=True, exist_ok=True)
    (work / "shared.h").write_text(shared_header(), "utf-8")
    program = work / "launcher"
    flags = ["-std=gnu11", "-Os", "-static", "-s", "-Wall", "-Wextra", "-Werror", "-Wl,--build-id=none"]
    place = [f"-ffile-prefix-map={PROJECT}=.", f"-I{work}"]
    subprocess.run([compiler, *flags, *place, "-o", str(program), str(SOURCE)], check=True)
    return program


def shared_header() -> str:
    """What Python and C must agree on, as C: texts in both languages, exit code, layout of the directory block."""
    names = ", ".join(key.upper() for key in KEYS)
    tables = ",\n".join(
        "    {" + ", ".join(json.dumps(CATALOGS[lang][key], ensure_ascii=False) for key in KEYS) + "}"
        for lang in ("en", "zh")
    )
    reasons = ", ".join(
        f"{{{number}, {json.dumps(words, ensure_ascii=False)}}}" for number, words in system_zh.REASONS.items()
    )
    return (
        f"enum {{ BLOCK = {BLOCK}, DIGEST = {SHORT}, EXIT_ENVIRONMENT = {int(ExitCode.ENVIRONMENT)} }};\n"
        f'#define MAGIC "{DIRECTORY_MAGIC.decode()}"\n'
        f"enum {{ ENGLISH, CHINESE }};\nenum text {{ {names} }};\n"
        f"static const char *const TEXTS[2][{len(KEYS)}] = {{\n{tables}\n}};\n"
        f"static const struct {{ int error; const char *words; }} CHINESE_REASONS[] = {{{reasons}}};\n"
    )


def pack_runtime(folder: Path, target: Path) -> int:
    """Write the files of `folder` as the runtime part `target`; returns the length of its index in bytes.

    Raises ValueError for a name that the index cannot hold.
    """
    lines: list[str] = []
    files: list[Path] = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if "\n" in name or ".." in name:
            raise ValueError(f"name in the runtime: {name!r}")
        if path.is_symlink():
            if " " in str(path.readlink()):
                raise ValueError(f"link in the runtime: {name!r}")
            lines.append(f"l {path.readlink()} {name}\n")
        elif path.is_file():
            mode = 0o755 if path.stat().st_mode & 0o100 else 0o644
            lines.append(f"f {mode:o} {path.stat().st_size} {zlib.crc32(path.read_bytes()):x} {name}\n")
            files.append(path)
    index = "".join(lines).encode()
    with target.open("wb") as file:
        file.write(index)
        for path in files:
            file.write(path.read_bytes())
    return len(index)
