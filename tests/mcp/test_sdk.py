"""kb.mcp.sdk: the server's part of the SDK, without its web servers and clients."""

from __future__ import annotations

import pytest

from kb.mcp.sdk import REQUEST_TIMEOUT, load
from tests.helpers import run_python


def test_the_modules_are_those_of_the_sdk() -> None:
    sdk = load()
    assert sdk.types.__name__ == "mcp.types"
    assert sdk.server.Server.__name__ == "Server"
    assert load() is sdk


def test_the_number_that_stands_in_for_httpx_is_the_same() -> None:
    import httpx

    assert httpx.codes.REQUEST_TIMEOUT == REQUEST_TIMEOUT


@pytest.mark.slow
def test_a_process_loads_no_web_server_and_no_client() -> None:
    done = run_python(
        "import sys\nfrom kb.mcp.sdk import load\nsdk = load()\n"
        "assert sdk.server.Server('x').name == 'x'\nimport mcp.types\nassert mcp.types is sdk.types\n"
        "heavy = {'starlette', 'uvicorn', 'httpcore', 'sse_starlette', 'pydantic_settings', 'rich', 'mcp.client'}\n"
        "print(sorted(heavy & set(sys.modules)), getattr(sys.modules['httpx'], '__file__', 'none'))"
    )
    assert done.err == ""
    assert done.out.strip() == "[] none"
