"""Made-up sessions for the tests of `users`: every user says what its rates say, in words written for these tests."""

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from autointeract.engine import Engine, EngineSettings
from autointeract.models import Models, ModelsSettings
from autointeract.records import Session, Turn, rng
from autointeract.workspace import Workspace

SAY = {
    "correct": ["No, that's wrong, you forgot the header row.", "that is not what I asked, the order is reversed"],
    "report_failure": ["It fails with a KeyError on empty input.", "I ran it and it crashes again"],
    "change_requirement": ["Actually, let's return a tuple instead.", "I changed my mind, make it case insensitive"],
    "accept": ["Looks good, thanks.", "perfect"],
    "new_request": ["Add a function that counts the vowels in a string.", "please write tests for the parser module"],
    "vague": ["make it better", "hmm"],
}


def session(name: str, user: str | None, texts: Sequence[str], repo: str | None = "acme/widgets") -> Session:
    """A session in which the agent acts and speaks between the given typed turns."""
    turns: list[Turn] = []

    def put(role: Any, kind: Any, text: str, tool: str | None = None) -> None:
        turns.append(Turn(index=len(turns), role=role, kind=kind, text=text, tool_json=tool))

    for number, text in enumerate(texts):
        put("user", "human", text)
        put("assistant", "tool_call", "", '{"name":"Edit","arguments":{},"id":"1"}')
        put("tool", "tool_result", "ok", '{"id":"1","is_error":false}')
        put("assistant", "text", f"Step {number} is done: the change is in place.")
    return Session(session_id=name, user_id=user, source_format="test", repo=repo, turns=turns)


def population(users: int, sessions: int, turns: int = 6, seed: int = 0, alike: bool = False) -> list[Session]:
    """Users whose pushback, changes and length rise with their number (all the same when `alike`)."""
    rows = []
    for u in range(users):
        share = 0.5 if alike else (u + 0.5) / users
        for s in range(sessions):
            draw = rng("test_population", seed, u, s)
            texts = [draw.choice(SAY["new_request"])]
            for _ in range(turns - 1):
                kind = draw.choices(
                    ["correct", "report_failure", "change_requirement", "accept", "new_request"],
                    [share * 0.4, share * 0.3, (1 - share) * 0.5, 0.4, 0.4],
                )[0]
                extra = " I mean it should keep the given order of rows." * int(share * 6)
                texts.append(draw.choice(SAY[kind]) + extra)
            rows.append(session(f"s{u:03d}-{s}", f"user{u:03d}", texts))
    return rows


WORDS = [f"{a}{b}" for a in ("pa", "ro", "ti", "ke", "lu", "mo") for b in ("rser", "ble", "dex", "gin", "mit", "ster")]


def people(users: int, sessions: int) -> list[Session]:
    """Developers who write in lower case and ask for the next thing; no two turns are alike."""
    rows = []
    for u in range(users):
        for s in range(sessions):
            draw = rng("people", u, s)
            kinds = draw.choices(["new_request", "correct", "report_failure", "accept"], [6, 1, 1, 1], k=6)
            texts = [
                f"{draw.choice(SAY[kind]).lower().rstrip('.')} for {' '.join(draw.sample(WORDS, 5))}" for kind in kinds
            ]
            rows.append(session(f"s{u:03d}-{s}", f"user{u:03d}", texts))
    return rows


def workspace(path: Path, rows: Sequence[Session]) -> Workspace:
    """A workspace that holds these sessions."""
    found = Workspace(path, configured_key="test")
    found.sessions.write([rows], stage="ingest", stage_digest="x", inputs={}, complete=True)
    return found


def services(models: Models, seed: int = 3, concurrency: int = 8, resume: Any = "auto") -> Any:
    """What a stage of this room uses of `Services`."""
    engine = Engine(EngineSettings(concurrency=concurrency))
    return SimpleNamespace(models=models, engine=engine, execution=None, seed=seed, resume=resume, config_sha="")


def models(path: Path, **roles: Any) -> Models:
    """The door with the simulated provider in every role but those named."""
    settings = {"default": {"model": "simulated/default"}, **roles}
    return Models(ModelsSettings.model_validate(settings), folder=path, seed=3)


def parts(folder: Path) -> dict[str, bytes]:
    """Bytes of every Parquet part below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("part-*.parquet"))}
