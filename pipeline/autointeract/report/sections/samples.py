"""A few accepted conversations, drawn with the seed, shown as the trained model will see them."""

from autointeract.records import Trajectory, derive_seed, is_simulated, load_json
from autointeract.report.blocks import Chat, Section, Text
from autointeract.report.reading import columns, missing, some_rows
from autointeract.report.settings import ReportSettings
from autointeract.workspace import Workspace


def section(workspace: Workspace, settings: ReportSettings, seed: int) -> Section:
    """The section."""
    blocks: list[Chat | Text] = []
    if hint := missing(workspace, "trajectories"):
        blocks.append(Text(text=hint))
    ids = [row["trajectory_id"] for row in columns(workspace.trajectories, "trajectory_id")]
    order = sorted(ids, key=lambda name: derive_seed(seed, "sample", name))[: settings.samples]
    wanted = set(order)
    if wanted:
        found = some_rows(workspace.trajectories, "trajectory_id", wanted)
        blocks += [chat(found[name], settings.max_chars) for name in order]
        if len(ids) > len(order):
            blocks.append(Text(text=f"{len(order)} of {len(ids):,} accepted conversations."))
    elif not blocks:
        blocks.append(Text(text="No trajectory was accepted."))
    return Section(anchor="samples", title="Sample conversations", blocks=list(blocks))


def chat(row: Trajectory, max_chars: int) -> Chat:
    """One conversation with the private notes of its user turns beside them."""
    notes = {turn.index: turn for turn in row.turns}
    messages = []
    for number, message in enumerate(row.prompt):
        turn = notes.get(number) if message.role == "user" else None
        side = f"{turn.strategy} ({turn.origin}), facts: {', '.join(turn.facts) or 'none'}" if turn else ""
        text = message.content
        if message.tool_calls_json:
            calls = load_json(message.tool_calls_json, [])
            text += "".join(f"\n[calls {call.get('function', call).get('name')}]" for call in calls)
        messages.append((message.role, cut(text, max_chars), side))
    facts = [
        ("task", f"{row.source_task_id} ({row.source})"), ("scenario", row.scenario), ("round", str(row.round)),
        ("niche", row.niche), ("weak", f"{row.weak_score:.2f} {row.weak_scores}"),
        ("strong", f"{row.strong_score:.2f} {row.strong_scores}"),
    ]  # fmt: skip
    marks = ["SIMULATED"] if is_simulated(row.models_json) else []
    return Chat(title=f"Trajectory {row.trajectory_id[:12]}", marks=marks, messages=messages, facts=facts)


def cut(text: str, most: int) -> str:
    """`text`, or its beginning and how much is left out."""
    return text if len(text) <= most else f"{text[:most]}\n… {len(text) - most:,} more characters"
