"""How a copy behaves as a kiosk: the file `kiosk.toml` in the home folder, over which the command line goes."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path

from kb.errors import AlmanacError, ExitCode

FILE_NAME = "kiosk.toml"
IDLE_S = 120
LEAST_IDLE_S, MOST_IDLE_S = 10, 3600
THEMES = ("large", "light", "dark", "plain")


@dataclass(frozen=True, slots=True)
class KioskSettings:
    """`enabled`: a start without a verb opens the kiosk. `idle`: seconds without input after which all is cleared.

    With `keep_gaps` a question that the documents do not answer is kept for the owners, and nothing else of it.
    `theme` is empty for the one that suits the terminal.
    """

    enabled: bool = False
    idle: int = IDLE_S
    keep_gaps: bool = False
    theme: str = ""


def load(home: Path) -> KioskSettings:
    """The settings of `home`, the defaults without a file; AlmanacError when the file cannot be read or is wrong."""
    path = home / FILE_NAME
    if not path.exists():
        return KioskSettings()
    import tomllib  # not needed by most starts

    try:
        read = tomllib.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise AlmanacError("unreadable", path=str(path), reason=error.strerror or str(error)) from error
    except ValueError as error:  # not TOML, or not UTF-8
        raise AlmanacError("kiosk_settings_broken", path=str(path), reason=str(error)) from error
    known = {field.name: type(getattr(KioskSettings(), field.name)) for field in fields(KioskSettings)}
    for name, value in read.items():
        if name not in known:
            raise AlmanacError("kiosk_setting_unknown", path=str(path), name=name, known=", ".join(known))
        if type(value) is not known[name]:
            raise AlmanacError("kiosk_setting_wrong", path=str(path), name=name, value=str(value))
    settings = replace(KioskSettings(), **read)
    if settings.theme not in ("", *THEMES):
        raise AlmanacError("kiosk_setting_wrong", path=str(path), name="theme", value=settings.theme)
    check_idle(settings.idle)
    return settings


def wanted(
    home: Path, kiosk: bool | None, idle: int | None, keep_gaps: bool | None, theme: str | None
) -> KioskSettings:
    """The settings of `home` with what the command line says over them (None: it says nothing).

    AlmanacError when the file is wrong, or when the command line says how a kiosk behaves that it does not open.
    """
    found = load(home)
    found = replace(
        found,
        enabled=found.enabled if kiosk is None else kiosk,
        idle=found.idle if idle is None else check_idle(idle),
        keep_gaps=found.keep_gaps if keep_gaps is None else keep_gaps,
        theme=theme or found.theme,
    )
    if not found.enabled and (idle is not None or keep_gaps is not None):
        raise AlmanacError("kiosk_only", ExitCode.USAGE)
    return found


def check_idle(seconds: int) -> int:
    """`seconds`, if a kiosk can work with it; AlmanacError otherwise."""
    if not LEAST_IDLE_S <= seconds <= MOST_IDLE_S:
        raise AlmanacError("kiosk_idle", ExitCode.USAGE, value=seconds, least=LEAST_IDLE_S, most=MOST_IDLE_S)
    return seconds
