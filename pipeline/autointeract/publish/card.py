"""The dataset card: README.md beside the files, made from the manifest and the facts; nobody writes it by hand.

Its YAML head says which files belong to which config and split (so that `load_dataset` finds them), and holds plain
types only. Text that comes from data (niches, sources, model names) is kept from being Markdown or YAML. No clock and
no path of this machine goes into it.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from autointeract import __version__
from autointeract.publish.card_facts import CardFacts
from autointeract.publish.licenses import read_licenses
from autointeract.publish.settings import ExportSettings, Format
from autointeract.publish.target import FileInfo

_MARKS = {"<": "&lt;", ">": "&gt;", "&": "&amp;", **{char: f"\\{char}" for char in "\\`*_[]|#"}}
_PURPOSE: dict[Format, str] = {
    "rl": "One flat Parquet schema that verl, TRL, SkyRL, slime, OpenRLHF and `datasets` read. Config `tools`, where "
    "there is one, holds the conversations with tool calls and needs `datasets` 4.7 or later (slime cannot read it).",
    "verifiers": "Tasks for the verifiers v1 taskset `autointeract-env` (vf-eval, prime-rl).",
    "messages": "Conversations as OpenAI messages, one a line.",
    "atif": "Rollouts of the solvers in the Agent Trajectory Interchange Format, one a line.",
}


def card(form: Format, settings: ExportSettings, facts: CardFacts, files: Sequence[FileInfo]) -> str:
    """The text of README.md."""
    import yaml

    head = yaml.safe_dump(front_matter(form, settings, facts, files), sort_keys=False, allow_unicode=True, width=120)
    return f"---\n{head}---\n\n" + "\n".join(_body(form, settings, facts, files)) + "\n"


def front_matter(form: Format, settings: ExportSettings, facts: CardFacts, files: Sequence[FileInfo]) -> dict[str, Any]:
    """The YAML head as plain data."""
    data: dict[str, Any] = {
        "pretty_name": settings.name,
        "license": read_licenses(facts.sources).hub,
        "task_categories": ["text-generation"],
        "language": ["en"],
        "tags": ["reinforcement-learning", "multi-turn", "code", "user-simulation", "synthetic"],
        "size_categories": [_size(facts.rows)],
    }
    if facts.simulated:
        data["tags"].append("simulated-models")
    configs: dict[str, dict[str, str]] = {}
    for info in files:
        suffix = info.path.rpartition(".")[2]
        configs.setdefault(info.config, {})[info.split] = f"{info.config}/{info.split}-*.{suffix}"
    if form != "atif":
        data["configs"] = [
            {
                "config_name": name,
                "data_files": [{"split": split, "path": path} for split, path in splits.items()],
                **({"default": True} if number == 0 else {}),
            }
            for number, (name, splits) in enumerate(sorted(configs.items()))
        ]
    return data


def _body(form: Format, settings: ExportSettings, facts: CardFacts, files: Sequence[FileInfo]) -> Iterator[str]:
    yield f"# {settings.name}"
    yield ""
    if facts.simulated:
        yield (
            f"> **Not for training.** {facts.simulated} of {facts.rows} rows were made with simulated models: "
            "stand-ins that exercise the pipeline. They say nothing about real models or real users."
        )
        yield ""
    yield (
        "Multi-turn conversations between a simulated user and a coding assistant. Each ends on a user turn; the "
        "model to be trained writes the next turn, and its score in [0, 1] is found by executing its code against "
        "the task's unchanged verifier."
    )
    yield ""
    yield _PURPOSE[form]
    yield ""
    rows = [[info.config, info.split, info.rows] for info in _merged(files)]
    yield from _table(["config", "split", "rows"], rows)
    yield (
        f"{facts.rows} rows on {facts.tasks} tasks. Splits are by task: no task is in two splits. "
        "Scoring: `autointeract.training.rewards` (`pip install autointeract`)."
    )
    yield ""
    yield "## How it was made"
    yield ""
    yield (
        f"Real sessions of {facts.people} people with coding agents gave behavior profiles (no text of theirs is in "
        "this dataset). A simulated user with such a profile talks about a verified source task with an assistant; "
        "an evaluator keeps the conversation if it is valid, leaks nothing, is realistic, and is hard for a weak "
        "solver yet solvable for a strong one; otherwise a controller revises it, up to the configured number of "
        "rounds."
    )
    yield ""
    yield from _table(["role", "models"], [[role, ", ".join(names)] for role, names in facts.models.items()])
    yield f"Made with {', '.join(facts.software) or 'nothing'}; exported with autointeract {__version__}."
    yield ""
    yield from _counts("Scenarios", "scenario", facts.scenarios)
    yield from _acceptance(facts)
    yield from _difficulty(facts)
    yield from _counts("User niches", "expertise / vagueness / pushback / requirement change / verbosity", facts.niches)
    yield from _realism(facts)
    yield from _licences(facts)
    yield from _limits(facts)


def _acceptance(facts: CardFacts) -> Iterator[str]:
    yield "## Acceptance by round"
    yield ""
    yield from _table(["round at which it passed", "rows"], [[k, n] for k, n in facts.rounds.items()])
    report = facts.reports.get("synthesize", {})
    if shares := report.get("acceptance", {}).get("guided"):
        items = report["acceptance"].get("items")
        listed = ", ".join(f"{100 * share:.1f} %" for share in shares)
        yield f"Of {items} items, accepted by round 0, 1, ...: {listed}."
        yield ""
    if arms := report.get("comparison"):
        last = {name: 100 * arms[name][-1] for name in ("guided", "null", "difference", "low", "high")}
        yield (
            f"Guidance against re-rolls without it, on the same {arms['items']} items: {last['guided']:.1f} % against "
            f"{last['null']:.1f} %, difference {last['difference']:+.1f} points "
            f"[{last['low']:+.1f}, {last['high']:+.1f}]."
        )
    else:
        yield "No item was re-rolled without guidance, so it is not known what guidance adds."
    yield ""
    full = report.get("full_diagnosis") or {}
    if full.get("items"):
        failed = ", ".join(f"{name} {count}" for name, count in full["failed_checks"].items()) or "none"
        yield (
            f"The first check that fails ends a round, which hides later ones. On {full['items']} items all checks "
            f"were made at first; failed: {failed}."
        )
        yield ""


def _difficulty(facts: CardFacts) -> Iterator[str]:
    yield "## Difficulty"
    yield ""
    bands = sorted({band for counts in facts.bands.values() for band in counts})
    rows = [[band, *(facts.bands[solver].get(band, 0) for solver in ("weak", "strong"))] for band in bands]
    yield from _table(["mean score", "rows, weak solver", "rows, strong solver"], rows)
    if facts.weak_mean is not None and facts.strong_mean is not None:
        yield (
            f"Mean score: weak {facts.weak_mean:.3f}, strong {facts.strong_mean:.3f}. The same few samples chose the "
            "rows, so fresh samples come out nearer to the middle."
        )
    if fresh := facts.reports.get("synthesize", {}).get("confirmation"):
        yield (
            f"Measured on {fresh['rows']} rows: weak {fresh['weak']:.3f} -> {fresh['weak_fresh']:.3f}, strong "
            f"{fresh['strong']:.3f} -> {fresh['strong_fresh']:.3f}; {fresh['held']} stay in the band."
        )
    yield ""


def _realism(facts: CardFacts) -> Iterator[str]:
    yield "## Realism"
    yield ""
    notes = facts.reports.get("realism", {}).get("notes") or []
    if notes:
        yield from (f"- {_plain(note)}" for note in notes)
    else:
        yield "Not measured for this dataset: nothing may be claimed about how close its users are to real ones."
    yield ""


def _licences(facts: CardFacts) -> Iterator[str]:
    yield "## Licences of the sources"
    yield ""
    rows = [[*entry.rpartition(": ")[::2], number] for entry, number in facts.sources.items()]
    yield from _table(["source", "licence", "rows"], rows)
    for conflict in read_licenses(facts.sources).conflicts:
        yield f"- **{_plain(conflict)}**"
    yield ""


def _limits(facts: CardFacts) -> Iterator[str]:
    yield "## Limits"
    yield ""
    yield f"- The users are simulated after {facts.people} people; they do not stand for developers at large."
    yield "- Difficulty is measured for the named weak and strong solvers; for another model it differs."
    yield "- A score says that code passed the source task's tests, no more."
    if facts.simulated:
        yield f"- {facts.simulated} rows were made with simulated models."
    yield ""


def _counts(title: str, name: str, counts: dict[str, int]) -> Iterator[str]:
    yield f"## {title}"
    yield ""
    shown = list(counts.items())[:40]
    yield from _table([name, "rows"], [list(item) for item in shown])
    if len(counts) > len(shown):
        yield f"... and {len(counts) - len(shown)} more."
        yield ""


def _table(head: list[str], rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    rows = [[_plain(str(cell)) for cell in row] for row in rows]
    if rows:
        yield f"| {' | '.join(head)} |"
        yield f"|{'---|' * len(head)}"
        yield from (f"| {' | '.join(row)} |" for row in rows)
    else:
        yield "none"
    yield ""


def _plain(text: str) -> str:
    """Text of the data as text: one line, and nothing in it that Markdown or HTML would act on."""
    flat = " ".join(text.split())[:300]
    return "".join(_MARKS.get(char, char) for char in flat)


def _merged(files: Sequence[FileInfo]) -> list[FileInfo]:
    found: dict[tuple[str, str], FileInfo] = {}
    for info in files:
        key = (info.config, info.split)
        rows = info.rows + (found[key].rows if key in found else 0)
        found[key] = info.model_copy(update={"rows": rows})
    return list(found.values())


def _size(rows: int) -> str:
    for limit, name in ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M")):
        if rows < limit:
            return name
    return "1M<n<10M"
