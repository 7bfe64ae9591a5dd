"""One real user's profile: drafted, checked for privacy, audited, revised; the plain card where no draft may be kept.

In: levels, settings, the user's typed texts. Out: `Described`, plain data for the journal.
"""

from collections.abc import Sequence
from typing import Any

from autointeract.models import Usage
from autointeract.models.door import Models
from autointeract.records import Record, rng
from autointeract.users import audit as auditing
from autointeract.users import phrases, privacy, writer
from autointeract.users.settings import ProfileSettings


class Subject(Record):
    """Who is to be described.

    Attributes:
        runs_of: the user's typed texts, for the privacy check.
        excerpts: redacted turns for the writer.
        names: words that name the user's own things.
    """

    user_id: str
    levels: dict[str, str]
    settings: dict[str, Any]
    texts: list[str]
    excerpts: list[str]
    names: list[str]


class Described(Record):
    """The text kept and how it came to be.

    Attributes:
        source: "written" by the model, or "card" (no draft passed the privacy check, or the writer gave none).
        fidelity: of the text kept; null when not audited.
        audit: what was found, attempt by attempt.
        faults: unusable answers by role.
    """

    text: str
    source: str
    fidelity: float | None
    audit: dict[str, Any]
    usage: Usage
    faults: dict[str, int]


async def describe(models: Models, subject: Subject, settings: ProfileSettings) -> Described:
    """The best draft that passes the privacy check; at most `1 + settings.revisions` drafts.

    Raises:
        ProviderError, BudgetError: from the door.
    """
    runs = privacy.word_runs(subject.texts, settings.privacy_run)
    names = frozenset(subject.names)
    usage, faults, trail = Usage(), {"writer": 0, "judge": 0}, []
    best: tuple[float, str] | None = None
    previous, objections = None, []
    for attempt in range(1 + settings.revisions):
        reply = await writer.draft(
            models, subject.user_id, subject.levels, subject.settings, subject.excerpts, previous, objections, attempt
        )
        usage += reply.usage
        if reply.value is None:
            faults["writer"] += 1
            continue
        text = " ".join(reply.value.text.split())
        private = privacy.findings(text, runs, settings.privacy_run, names)
        result = None
        if settings.audit and not private:
            result = await auditing.audit(models, subject.user_id, text, subject.levels, subject.settings, attempt)
            usage += result.usage
            faults["judge"] += result.faults
        objections = private or (result.objections if result else [])
        fidelity = result.fidelity if result else None
        trail.append(_entry(private, result))
        if not private and (best is None or (fidelity or 0.0) > best[0]):
            best = (fidelity or 0.0, text)
        if not objections:
            break
        previous = text
    if best is None:
        text = phrases.card(subject.levels, subject.settings, rng("card", subject.user_id))
        result = None
        if settings.audit:
            result = await auditing.audit(
                models, subject.user_id, text, subject.levels, subject.settings, 1 + settings.revisions
            )
            usage += result.usage
            faults["judge"] += result.faults
        trail.append(_entry([], result))
        return _described(text, "card", result.fidelity if result else None, trail, usage, faults)
    return _described(best[1], "written", best[0] if settings.audit else None, trail, usage, faults)


def _described(
    text: str, source: str, fidelity: float | None, trail: list[dict[str, Any]], usage: Usage, faults: dict[str, int]
) -> Described:
    audit = {"source": source, "drafts": len(trail), "trail": trail}
    return Described(text=text, source=source, fidelity=fidelity, audit=audit, usage=usage, faults=faults)


def _entry(private: Sequence[str], result: auditing.Audit | None) -> dict[str, Any]:
    return {
        "privacy": list(private),
        "read": result.read if result else {},
        "flags": result.flags if result else {},
        "fidelity": result.fidelity if result else None,
        "objections": len(result.objections) if result else len(private),
    }
