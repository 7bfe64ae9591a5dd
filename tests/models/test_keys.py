"""A planted key appears nowhere: not in logs, ledger, cache, exceptions, settings, processes' output."""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from tests.models.http_server import HttpServer

from autointeract.errors import AutoInteractError, ConfigError
from autointeract.models import Call, Models, ModelsSettings, RoleSettings
from autointeract.models.redact import redact
from autointeract.models.settings import LimitSettings
from autointeract.models.simulated.scripted import Script, Step, http, say
from autointeract.records import Message

KEY = "sk-test-CANARY-0123456789abcdef"
ASK = [Message(role="user", content="x")]
LIMITS = LimitSettings(backoff_s=0.001, max_backoff_s=0.01, retries=1)
ECHOES: dict[str, Step] = {
    "401": http(401, f"Incorrect API key provided: {KEY}."), "400": http(400, f"bad header Bearer {KEY}"),
    "503": http(503, f"upstream said: {KEY}"), "402": http(402, f"no credit for {KEY[:12]}...{KEY[-8:]}"),
    "html": Step(200, {"content-type": "text/html"}, f"<p>{KEY}</p>".encode()), "text": say(f"your key is {KEY}"),
    "thinking": say(f"<think>{KEY}</think>hello"), "filter": http(400, f"{KEY} blocked", code="content_filter"),
    "context": http(400, f"maximum context length of {KEY}"),
    "error in 200": Step(200, {}, f'{{"error": {{"message": "{KEY}"}}}}'.encode()),
}  # fmt: skip


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TEST_ENDPOINT_KEY", KEY)
    yield


def leaked(text: str) -> bool:
    return KEY in text or KEY[-8:] in text


def door(folder: Path, server: HttpServer, **role: Any) -> Models:
    chosen = RoleSettings(**{"model": "m", "api_base": server.url, "api_key_env": "TEST_ENDPOINT_KEY", **role})
    return Models(ModelsSettings(default=chosen, limits=LIMITS), folder=folder, seed=0)


@pytest.mark.parametrize("transport", ["direct", "litellm"])
@pytest.mark.parametrize("name", ECHOES)
async def test_a_key_that_the_server_echoes_goes_nowhere(
    name: str, transport: Any, key: None, tmp_path: Path, caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    caplog.set_level(logging.DEBUG)
    steps: Script = [ECHOES[name]]
    model = "openai/m" if transport == "litellm" else "m"
    async with HttpServer(steps) as server, door(tmp_path, server, transport=transport, model=model) as models:
        try:
            (got,) = await models.complete("judge", ASK, call=Call(item="i", purpose="p"))
            assert not leaked(repr(got))
        except AutoInteractError as error:
            chain = [error, error.__cause__, error.__context__ if not error.__suppress_context__ else None]
            assert not any(leaked(repr(link)) for link in chain)
        assert server.headers[0]["authorization"] == f"Bearer {KEY}"
        shown = (
            str(models.settings),
            str(models.identity("judge")),
            str(models.describe()),
            str(models.usage_report()),
        )
        assert not any(map(leaked, shown))
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert KEY[-8:].encode() not in path.read_bytes(), path
    assert not leaked("\n".join(capfd.readouterr()))
    ours = [record.getMessage() for record in caplog.records]
    assert not any(map(leaked, ours))


async def test_a_missing_key_is_a_config_error_that_names_the_variable(tmp_path: Path) -> None:
    async with HttpServer([say("x")]) as server, door(tmp_path, server, api_key_env="NOT_SET_ANYWHERE") as models:
        with pytest.raises(ConfigError, match=r"models\.judge\.api_key_env names NOT_SET_ANYWHERE"):
            await models.complete("judge", ASK, call=Call(item="i", purpose="p"))
        assert not server.log


def test_keys_and_credentials_are_refused_in_settings() -> None:
    with pytest.raises(ValidationError, match="takes the name of an environment variable"):
        RoleSettings(api_key_env=KEY)
    with pytest.raises(ValidationError, match="must not hold credentials"):
        RoleSettings(api_base="https://user:pass@host/v1")


def test_redact_leaves_other_text_alone() -> None:
    text = "the task-force asked for a risk-assessment of skeleton keys"
    assert redact(text, None, "") == text
    assert redact(f"a {KEY} b", KEY) == "a [key removed] b"
