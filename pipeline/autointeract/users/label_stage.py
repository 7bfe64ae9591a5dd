"""Stage `label`: sessions -> one TurnLabel for each typed turn and labeller.

In: dataset `sessions`. Out: dataset `labels`. One journal line a session. Labels that came with the source (flags
`source_intent:...`, `source_pushback:...` on a turn) are kept beside ours as labeller "source" and compared. Nothing
else of the text is copied.
"""

import time
from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args

from autointeract.models import Usage
from autointeract.records import Session, StageReport, TurnLabel, digest
from autointeract.records.vocabulary import PUSHBACK_OF_REACTION, Intent
from autointeract.services import Services
from autointeract.users import lexicon, model_labeller, reactions, rules
from autointeract.users.agreement import agreements
from autointeract.users.settings import LabelSettings
from autointeract.users.surface import count_words, is_english
from autointeract.users.turns import TypedTurn, typed_turns
from autointeract.workspace import PlannedItem, StageRun, Workspace

RULES_VERSION = 2
"""Raised when a change of the rules' code must not reuse older labels; words and weights are in the digest."""


async def run(settings: LabelSettings, workspace: Workspace, services: Services) -> StageReport:
    """Labels every typed turn of every session."""
    started = time.monotonic()
    use_model = "model" in settings.labellers
    scope: dict[str, Any] = {
        **settings.result_view(),
        "rules_version": RULES_VERSION,
        "lexicon": _lexicon_digest(),
        "seed": services.seed,
        "models": {"judge": services.models.identity("judge")} if use_model else {},
        "prompts": {"label_turn": model_labeller.PROMPT.digest} if use_model else {},
    }
    name = f"model:{services.models.describe()['judge']['model']}" if use_model else ""
    sessions = workspace.sessions
    inputs = {"sessions": sessions.manifest().content_digest}
    facts: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    with StageRun.open(workspace, "label", scope, services.resume) as stage:
        plan = [PlannedItem(key=row.session_id, input_digest=_digest(row)) for row in sessions.rows()]
        owed = {item.key for item in stage.owed(plan)}
        digests = {item.key: item.input_digest for item in plan}

        async def work(session: Session) -> dict[str, Any]:
            labels, usage, lost = [], Usage(), 0
            for turn in typed_turns(session):
                if "rules" in settings.labellers:
                    labels.append(_row(session, turn, rules.label(turn), "rules"))
                labels += _source_label(session, turn)
                if use_model:
                    reply = await model_labeller.label(
                        services.models, turn, session.session_id, settings.context_chars
                    )
                    usage += reply.usage
                    if reply.value is not None:
                        labels.append(_row(session, turn, reply.value, name))
                    else:
                        lost += 1
            return {"labels": [item.model_dump() for item in labels], "usage": usage.model_dump(), "lost": lost}

        def done(session: Session, value: dict[str, Any]) -> None:
            stage.journal.put(session.session_id, digests[session.session_id], value)

        waiting = (row for row in sessions.rows() if row.session_id in owed)
        stop = await services.engine.map(waiting, work, done, total=len(owed))
        labels: list[TurnLabel] = []
        for _, value in stage.finished(plan):
            labels += _rows(value)
            faults["judge"] += value["lost"]
        for row in sessions.rows():
            facts.update(_language(row))
        found = agreements(labels)
        stage.compact(plan, workspace.labels, _rows, inputs=inputs, complete=stop is None)
    counts = {
        "sessions": len(plan),
        "typed_turns": facts["typed"],
        "labels": len(labels),
        "turns_not_english": facts["other"],
        "sessions_without_typed_turn": facts["silent"],
    }
    return StageReport(
        stage="label",
        counts=counts,
        faults={key: n for key, n in faults.items() if n},
        notes=_notes(facts, found, stop),
        usage=services.models.usage_report(),
        details=_details(labels, found),
        seconds=time.monotonic() - started,
        complete=stop is None,
    )


def _digest(session: Session) -> str:
    return digest(
        [session.session_id, [[t.index, t.kind, t.text, t.flags] for t in session.turns if t.kind != "tool_result"]]
    )


def _lexicon_digest() -> str:
    cues = {name: getattr(value, "pattern", None) for name, value in vars(lexicon).items() if name.isupper()}
    tables = [
        {name: cue.pattern for name, cue in table.items()} for table in (lexicon.INTENTS, lexicon.TURNS_OF_SPEECH)
    ]
    words = [lexicon.WORD_CLASSES, reactions.MODEL.read_text(encoding="utf-8")]
    return digest([{name: cue for name, cue in sorted(cues.items()) if cue}, *tables, *words], 16)


def _row(session: Session, turn: TypedTurn, label: Any, labeller: str) -> TurnLabel:
    return TurnLabel(
        session_id=session.session_id,
        turn_index=turn.index,
        intent=label.intent,
        reaction=label.reaction,
        specificity=label.specificity,
        words=count_words(turn.text),
        labeller=labeller,
    )


def _source_label(session: Session, turn: TypedTurn) -> list[TurnLabel]:
    flags = next(item.flags for item in session.turns if item.index == turn.index)
    given = dict(flag.removeprefix("source_").split(":", 1) for flag in flags if flag.startswith("source_"))
    if not given.keys() & {"intent", "pushback"}:
        return []
    ours = rules.label(turn)
    intent = given.get("intent", ours.intent)
    reaction = _reaction_of(given.get("pushback"), ours.reaction)
    if intent not in get_args(Intent):
        return []
    label = rules.RuleLabel(intent=intent, reaction=reaction, specificity=ours.specificity)  # type: ignore[arg-type]
    return [_row(session, turn, label, "source")]


def _reaction_of(pushback: str | None, ours: str) -> str:
    # Several reactions share one pushback label: ours is kept where it is one of them.
    if pushback is None or pushback in PUSHBACK_OF_REACTION[ours]:
        return ours
    return next((name for name, kinds in PUSHBACK_OF_REACTION.items() if pushback in kinds), ours)


def _rows(value: dict[str, Any]) -> Iterator[TurnLabel]:
    for item in value["labels"]:
        yield TurnLabel.model_validate(item)


def _language(session: Session) -> Counter[str]:
    turns = list(typed_turns(session))
    seen = [is_english(turn.text) for turn in turns]
    return Counter(typed=len(turns), other=sum(item is False for item in seen), silent=int(not turns))


def _notes(facts: Counter[str], found: list[dict[str, Any]], stop: Any) -> list[str]:
    notes = []
    if facts["typed"] and facts["other"] / facts["typed"] > 0.05:
        notes.append(
            f"{facts['other']} of {facts['typed']} typed turns are not English: the rule labeller reads English "
            f"and falls "
            "back on structure there, so reactions and intents of these turns are not to be relied on; use the "
            "model labeller"
        )
    for item in found:
        if item["kappa"] is not None and item["kappa"] < 0.4 and item["turns"] >= 20:
            notes.append(
                f"{item['left']} and {item['right']} agree only at kappa {item['kappa']:.2f} on {item['field']} "
                f"({item['turns']} turns)"
            )
    if not facts["typed"]:
        notes.append("no session holds a turn that a person typed: nothing can be said about users")
    if stop is not None:
        notes.append(f"stopped early: {stop.reason}")
    return notes


def _details(labels: list[TurnLabel], found: list[dict[str, Any]]) -> dict[str, Any]:
    shares: dict[str, dict[str, dict[str, int]]] = {}
    for item in labels:
        for field in ("intent", "reaction", "specificity"):
            table = shares.setdefault(item.labeller, {}).setdefault(field, {})
            key = str(getattr(item, field))
            table[key] = table.get(key, 0) + 1
    return {
        "agreement": found,
        "counts": {
            who: {f: dict(sorted(t.items())) for f, t in fields.items()} for who, fields in sorted(shares.items())
        },
    }
