"""What `calibrate` reads: prompts with verifiers, from files of your own or from what this software wrote.

A row needs
    a prompt     `prompt` (a text, or a list of `{"role", "content"}` that ends on a user turn) or `messages`
    a verifier   `verifier_json` (a spec as JSON text) or `verifier` (the same as an object), or a ground truth as
                 exports hold it: `answer`, `ground_truth` or `reward_model.ground_truth`

so that the dataset `trajectories` and the exports `rl`, `verifiers` and `messages` are read as they are. A folder
stands for all JSONL and Parquet files in it. Rows whose verifier is of kind pytest need an agent; they are counted and
left out.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from autointeract.errors import InputError
from autointeract.records import Message, canonical_json, clean_text, dump_spec, parse_spec

_SUFFIXES = (".jsonl", ".parquet")


class Prompts:
    """The rows of a file or a folder.

    Attributes:
        agents: rows that were left out because they need an agent; known when the iteration has ended.
    """

    def __init__(self, path: Path):
        self.path = path
        self.agents = 0

    def __iter__(self) -> Iterator[tuple[list[Message], str]]:
        """(prompt, verifier spec as JSON text) of every row.

        Raises:
            InputError: names the file and the row.
        """
        self.agents = found = 0
        for file in _files(self.path):
            for number, data in enumerate(_raw(file), 1):
                prompt, verifier = _row(data, f"{file}: row {number}")
                found += 1
                if verifier is None:
                    self.agents += 1
                else:
                    yield prompt, verifier
        if not found:
            raise InputError(f"{self.path}: holds no row")
        if found == self.agents:
            raise InputError(
                f"{self.path}: all {found} rows are repository tasks, which need an agent; calibrate measures prompts "
                "that are answered by one reply"
            )


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise InputError(f"{path}: no such file; calibrate reads JSONL or Parquet files, or a folder of them")
    manifest = path / "manifest.json"
    if manifest.is_file():  # a dataset of a workspace: other files in it are left-overs
        parts = json.loads(manifest.read_text(encoding="utf-8")).get("parts")
        if parts is not None:
            return [path / part["name"] for part in parts]
    hidden = (".", "_")
    found = [
        file for file in sorted(path.rglob("*"))
        if file.suffix in _SUFFIXES and not any(name.startswith(hidden) for name in file.relative_to(path).parts)
    ]  # fmt: skip
    if not found:
        raise InputError(f"{path}: holds no JSONL or Parquet file")
    return found


def _raw(path: Path) -> Iterator[Any]:
    if path.suffix == ".parquet":
        import pyarrow.parquet as pq

        try:
            with pq.ParquetFile(path) as file:
                for batch in file.iter_batches(batch_size=256):
                    yield from batch.to_pylist()
        except (OSError, pa.ArrowInvalid) as error:
            raise InputError(f"{path}: not a Parquet file ({error})") from error
        return
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                try:
                    yield json.loads(line)
                except ValueError as error:
                    raise InputError(f"{path}: line {number} is not JSON ({error})") from error


def _row(data: Any, where: str) -> tuple[list[Message], str | None]:
    if not isinstance(data, dict):
        raise InputError(f"{where}: a row is an object with a prompt and a verifier")
    raw, spec = data.get("prompt", data.get("messages")), _spec(data)
    if raw is None or spec is None:
        raise InputError(
            f"{where}: needs prompt and verifier_json (or verifier, or a ground truth of an export); "
            f"has {', '.join(sorted(map(str, data)))}"
        )
    turns = [{"role": "user", "content": raw}] if isinstance(raw, str) else raw
    try:
        prompt = [_message(turn) for turn in turns]
    except (ValueError, AttributeError, TypeError) as error:
        raise InputError(f"{where}: prompt is neither a text nor a list of role and content") from error
    if not prompt or prompt[-1].role != "user":
        raise InputError(f"{where}: the prompt does not end on a user turn")
    try:
        parsed = parse_spec(spec if isinstance(spec, str) else json.dumps(spec))
    except InputError as error:
        raise InputError(f"{where}: {error}") from error
    return prompt, None if parsed.kind == "pytest" else dump_spec(parsed)


def _spec(data: dict[str, Any]) -> Any:
    """The verifier, as JSON text or as an object; null where there is none."""
    for name in ("verifier_json", "verifier"):
        if data.get(name) is not None:
            return data[name]
    model = data.get("reward_model")
    inner = model.get("ground_truth") if isinstance(model, dict) else None
    for truth in (data.get("ground_truth"), data.get("answer"), inner):
        if isinstance(truth, str):
            try:
                truth = json.loads(truth)
            except ValueError:
                continue  # some other data set's answer
        if isinstance(truth, dict) and "verifier" in truth:
            return truth["verifier"]
    return None


def _message(turn: Any) -> Message:
    """One message: ours, OpenAI's, or the flat form of verifiers."""
    data = json.loads(turn) if isinstance(turn, str) else {**turn}
    calls = data.pop("tool_calls", None)
    if calls:
        data["tool_calls_json"] = canonical_json([_call(call) for call in calls])
    data = {name: value for name, value in data.items() if value is not None}
    message = Message.model_validate({"content": "", **data})
    return message.model_copy(update={"content": clean_text(message.content)})


def _call(call: dict[str, Any]) -> dict[str, Any]:
    function = call.get("function", call)
    arguments = function.get("arguments", {})
    text = arguments if isinstance(arguments, str) else canonical_json(arguments)
    return {"id": call["id"], "type": "function", "function": {"name": function["name"], "arguments": text}}
