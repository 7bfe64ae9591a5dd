"""Runs the archive: batches of rewrites by the writer, gates, audits, until the population is full.

Gates, cheap first: a usable draft, the privacy check against the parent's user, not a near-duplicate of any kept text,
not far from every real text, blind fidelity. Batches have a configured size and are told in order, so the outcome does
not depend on concurrency. Drafts and audits are journalled one by one.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from autointeract import prompts
from autointeract.models import Call, Usage
from autointeract.models.simulated.registry import SimulatedReply, SimulatedRequest, for_prompt
from autointeract.records import Profile, canonical_json, digest, load_json, rng
from autointeract.services import Services
from autointeract.users import audit as auditing
from autointeract.users import phrases, privacy
from autointeract.users.archive import Archive, Ask
from autointeract.users.described import Subject
from autointeract.users.neardup import SimilarTexts
from autointeract.users.settings import ProfileSettings
from autointeract.users.writer import ProfileText, meanings
from autointeract.workspace import PlannedItem, StageRun

VARY = prompts.load("vary_profile", ("text", "levels", "settings", "meanings", "avoid", "objections"), ProfileText)
AVOID = 3
"""How many kept texts of the niche the writer is shown to differ from."""


class Diversify:
    """One run of the archive inside the profile stage."""

    def __init__(
        self, stage: StageRun, services: Services, settings: ProfileSettings, archive: Archive,
        subjects: Mapping[str, Subject],
    ):  # fmt: skip
        self.stage, self.services, self.settings, self.archive = stage, services, settings, archive
        self.subjects = subjects
        real = archive.profiles()
        texts = [row.text for row in real]
        self.kept, self.real = SimilarTexts(texts), SimilarTexts(texts)
        for text in texts:
            self.kept.add(self.kept.vector(text))
            self.real.add(self.real.vector(text))
        self.far = far_threshold(texts, settings.archive.far_percentile)
        self.usage = Usage()
        self._runs: dict[str, set[tuple[str, ...]]] = {}

    @cached_property
    def _limit(self) -> int:
        wanted = max(self.archive.population - self.archive.size, 0)
        return int(wanted * self.settings.archive.max_proposals_factor)

    async def run(self) -> Any:
        """Fills the archive; gives the engine's `Stop` when it ended early, else null."""
        limit = self._limit
        while len(self.archive.log) < limit:
            asks = self.archive.ask(min(self.settings.archive.batch, limit - len(self.archive.log)))
            if not asks:
                return None
            stop = await self._batch(asks)
            if stop is not None:
                return stop
        return None

    async def recheck(self) -> dict[str, Any]:
        """Reads a sample of kept variations again: a noisy judge makes lucky elites, whose stored score flatters."""
        children = [row for row in self.archive.profiles() if row.generation > 0 and row.fidelity is not None]
        count = min(self.settings.archive.recheck, len(children))
        if not count or not self.settings.audit:
            return {}
        sample = rng("recheck", self.archive.seed).sample(children, count)
        asks = [Ask(number=k, niche=row.niche, parent_id=row.profile_id) for k, row in enumerate(sample)]

        async def work(ask: Ask) -> dict[str, Any]:
            row = sample[ask.number]
            subject = self.subjects[row.user_id]
            item = f"recheck:{row.profile_id}"
            settings = load_json(row.settings_json)
            result = await auditing.audit(self.services.models, item, row.text, subject.levels, settings, 1)
            return result.model_dump(mode="json")

        found, stop = await self._journalled("recheck", asks, lambda ask: [ask.parent_id], work)
        if stop is not None:
            return {}
        fresh = [value["fidelity"] for value in found.values() if value["fidelity"] is not None]
        return {
            "profiles": len(fresh), "stored": round(sum(row.fidelity or 0.0 for row in sample) / count, 4),
            "fresh": round(sum(fresh) / len(fresh), 4) if fresh else None,
        }  # fmt: skip

    async def _batch(self, asks: Sequence[Ask]) -> Any:
        parents = {ask.number: self.archive.find(ask.parent_id) for ask in asks}
        avoid = {ask.number: self._avoid(ask) for ask in asks}
        drafts, stop = await self._journalled(
            "vary", asks, lambda ask: [parents[ask.number].text, parents[ask.number].settings_json, avoid[ask.number]],
            lambda ask: self._draft(ask, parents[ask.number], avoid[ask.number]),
        )  # fmt: skip
        if stop is not None:
            return stop
        verdicts: dict[int, tuple[str, float | None, Any]] = {}
        for ask in asks:
            verdicts[ask.number] = self._gate(drafts[ask.number])
        passed = [ask for ask in asks if verdicts[ask.number][0] == "kept"]
        audits: dict[int, dict[str, Any]] = {}
        if self.settings.audit:
            audits, stop = await self._journalled(
                "audit", passed, lambda ask: [drafts[ask.number]["text"], parents[ask.number].settings_json],
                lambda ask: self._audit(ask, drafts[ask.number]["text"], parents[ask.number]),
            )  # fmt: skip
            if stop is not None:
                return stop
        for ask in asks:
            outcome, similarity, vector = verdicts[ask.number]
            child = None
            if outcome == "kept":
                child = self._child(parents[ask.number], drafts[ask.number]["text"], audits.get(ask.number))
                outcome = self._faithful(audits.get(ask.number))
            told = self.archive.tell(ask, outcome, child, similarity, drafts[ask.number]["detail"])  # type: ignore[arg-type]
            if told.outcome == "kept" and vector is not None:
                self.kept.add(vector)
        for value in [*drafts.values(), *audits.values()]:
            self.usage += Usage.model_validate(value["usage"])
        return None

    async def _journalled(self, kind: str, asks: Sequence[Ask], source: Any, work: Any) -> tuple[dict[int, Any], Any]:
        plan = {
            ask.number: PlannedItem(key=f"{kind}:{ask.number:06d}", input_digest=digest(source(ask))) for ask in asks
        }
        owed = {item.key for item in self.stage.owed(list(plan.values()))}

        def done(ask: Ask, value: dict[str, Any]) -> None:
            self.stage.journal.put(plan[ask.number].key, plan[ask.number].input_digest, value)

        waiting = [ask for ask in asks if plan[ask.number].key in owed]
        stop = await self.services.engine.map(waiting, work, done, total=len(waiting))
        if stop is not None:
            return {}, stop
        return {ask.number: self.stage.journal.get(plan[ask.number].key) for ask in asks}, None

    async def _draft(self, ask: Ask, parent: Profile, avoid: list[str]) -> dict[str, Any]:
        subject = self.subjects[parent.user_id]
        variables = {
            "text": parent.text, "levels": subject.levels, "settings": load_json(parent.settings_json),
            "meanings": meanings(subject.levels), "avoid": avoid, "objections": [],
        }  # fmt: skip
        call = Call(item=f"vary:{ask.number}", purpose="vary_profile")
        reply = (await self.services.models.complete("writer", VARY.render(variables), reply=ProfileText, call=call))[0]
        text = " ".join(reply.value.text.split()) if reply.value else ""
        detail = str(reply.fault or "")
        if text:
            found = privacy.findings(text, self._runs_of(subject), self.settings.privacy_run, frozenset(subject.names))
            detail = "; ".join(found)
        return {"text": text, "detail": detail, "usage": reply.usage.model_dump()}

    async def _audit(self, ask: Ask, text: str, parent: Profile) -> dict[str, Any]:
        subject = self.subjects[parent.user_id]
        settings = load_json(parent.settings_json)
        result = await auditing.audit(self.services.models, f"vary:{ask.number}", text, subject.levels, settings, 0)
        return result.model_dump(mode="json")

    def _gate(self, draft: dict[str, Any]) -> tuple[str, float | None, Any]:
        if not draft["text"]:
            return "fault", None, None
        if draft["detail"]:
            return "private", None, None
        vector = self.kept.vector(draft["text"])
        similarity, _ = self.kept.best(vector)
        similarity = round(similarity, 4)
        if similarity >= self.settings.archive.near_duplicate:
            return "duplicate", similarity, None
        if self.far is not None and self.real.best(self.real.vector(draft["text"]))[0] < self.far:
            return "far", similarity, None
        return "kept", similarity, vector

    def _faithful(self, result: dict[str, Any] | None) -> str:
        if result is None:
            return "kept"
        if result["fidelity"] is None:
            return "fault"
        flagged = sum(result["flags"].values())
        return "kept" if result["fidelity"] >= self.settings.archive.min_fidelity and not flagged else "unfaithful"

    def _child(self, parent: Profile, text: str, result: dict[str, Any] | None) -> Profile:
        audit = {
            "source": "varied",
            "read": result["read"] if result else {},
            "flags": result["flags"] if result else {},
        }
        return parent.model_copy(
            update={
                "profile_id": digest([text, parent.settings_json], 32), "text": text, "parent_id": parent.profile_id,
                "generation": parent.generation + 1, "audit_json": canonical_json(audit),
                "fidelity": result["fidelity"] if result else None,
            }
        )  # fmt: skip

    def _avoid(self, ask: Ask) -> list[str]:
        texts = [row.text for row in self.archive.members[ask.niche]]
        return rng("avoid", self.archive.seed, ask.number).sample(texts, min(AVOID, len(texts)))

    def _runs_of(self, subject: Subject) -> set[tuple[str, ...]]:
        if subject.user_id not in self._runs:
            if len(self._runs) >= 32:
                self._runs.pop(next(iter(self._runs)))
            self._runs[subject.user_id] = privacy.word_runs(subject.texts, self.settings.privacy_run)
        return self._runs[subject.user_id]


def far_threshold(texts: Sequence[str], percentile: float) -> float | None:
    """The given percentile of real texts' cosine to their nearest other real text; null for fewer than five texts."""
    if len(texts) < 5:
        return None
    import numpy as np

    whole = SimilarTexts(texts)
    vectors = [whole.vector(text) for text in texts]
    from scipy.sparse import vstack

    matrix: Any = vstack(vectors, format="csr")
    best = []
    for start in range(0, len(texts), 512):
        block = (matrix[start : start + 512] @ matrix.T).toarray()
        block[np.arange(len(block)), np.arange(start, start + len(block))] = 0.0
        best.append(block.max(axis=1))
    return float(np.percentile(np.concatenate(best), percentile))


@for_prompt("vary_profile")
def _simulated(request: SimulatedRequest) -> SimulatedReply:
    """The levels and habits in other words and another order; now and then, as writers do, one is left out."""
    data = request.variables or {}
    draw = rng("vary_profile", request.seed)
    sentences = phrases.sentences_for(data["levels"], data["settings"], draw)
    draw.shuffle(sentences)
    if len(sentences) > 2 and draw.random() < 0.1:
        sentences.pop()
    text = " ".join(sentences) or "Nothing is known about this user's habits beyond a developer's usual ways."
    return SimulatedReply(text=canonical_json({"text": text}))
