"""Sentences about a realism report: which arm is nearest, what differs beyond chance, what cannot be said."""

from collections.abc import Sequence
from typing import Any

from autointeract.records import Session
from autointeract.users.cases import Cases
from autointeract.users.comparison import MIN_GROUPS
from autointeract.users.realism_table import median_ratio
from autointeract.users.settings import RealismSettings

AUC_NOISE = 0.03
"""AUC differences under this say nothing (measured on real-versus-real dialogues)."""


def notes_of(
    details: dict[str, Any], cases: Cases, sessions: Sequence[Session], settings: RealismSettings, stop: Any
) -> list[str]:
    """What a reader must know."""
    if stop is not None:
        return [f"stopped early: {stop.reason}"]
    notes = []
    if same := details.get("same_as_seed"):
        notes.append(f"the selected prompt is the seed prompt: {same}; so there is one column for both")
    if not cases.instances:
        notes.append("no held-out real turn reacts to an agent: next turns cannot be compared")
    users = len({item.user_id or item.session_id for item in cases.instances})
    if cases.instances and users < 10:
        notes.append(
            f"{users} held-out users: what so small a group would show between real people too is listed as the floor; "
            "nothing can be claimed about people in general"
            if users >= MIN_GROUPS
            else f"{users} held-out users only: dialogues take the place of users in floors and p values, which speak "
            "of these people's dialogues; nothing can be claimed about anybody else"
        )
    for name, found in [*details["next_turns"].items(), *details["outside"].items()]:
        if found.get("too_few"):
            notes.append(
                f"{name}: fewer than four dialogues on a side, so there is no floor and no test: "
                "add logs of more people"
            )
            continue
        off = [key for key, item in found["measures"].items() if item["p_adjusted"] < 0.05]
        far = sorted(off, key=lambda key: -(found["measures"][key]["ratio"] or 0.0))[:4]
        listed = ", ".join(f"{key} ({found['measures'][key]['ratio'] or 0.0:.1f} x floor)" for key in far)
        notes.append(
            f"{name}: {len(off)} of {len(found['measures'])} measures differ from real turns beyond chance"
            + (f", most of all {listed}" if far else "")
        )
    notes += _nearest(details)
    if settings.sessions and not sessions:
        notes.append("no held-out session has two typed turns: whole sessions cannot be compared")
    return notes


def _nearest(details: dict[str, Any]) -> list[str]:
    """Which arm is nearest, and whether the difference is more than the luck of which users were held out."""
    table = {name: found for name, found in details["next_turns"].items() if not found.get("too_few")}
    if len(table) < 2:
        return []
    middle = {name: median_ratio(found) or 0.0 for name, found in table.items()}
    best = min(middle, key=lambda name: (middle[name], name))
    listed = ", ".join(f"{name} {value:.2f}" for name, value in sorted(middle.items()))
    notes = [f"median gap on next turns, times the real-versus-real floor: {listed}; lowest is {best}"]
    for pair, found in details["nearer"]["next_turns"].items():
        one, other = pair.split(" - ")
        span = f"{100 * found['value']:+.0f} % [{100 * found['low']:+.0f}, {100 * found['high']:+.0f}]"
        if found["low"] <= 0 <= found["high"]:
            notes.append(f"{one} and {other} cannot be told apart: gaps of {one} {span} against {other}'s")
        else:
            nearer, further = (one, other) if found["high"] < 0 else (other, one)
            notes.append(f"{nearer} is nearer than {further} over all measures: gaps of {one} {span} against {other}'s")
    return notes
