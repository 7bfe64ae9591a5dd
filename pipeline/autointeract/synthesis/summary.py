"""The lines a person reads at the end of a run."""

from typing import Any

from autointeract.synthesis.figures import Figures


def notes_of(
    figures: Figures, usage: dict[str, Any], models: dict[str, Any], dropped: list[str], stopped: str | None
) -> list[str]:
    """Sentences: acceptance, the comparison of the arms, cost, and what cannot be claimed."""
    details = figures.details(usage, models)
    share = details["acceptance"]["guided"]
    notes = [
        f"accepted {figures.accepted} of {details['acceptance']['items']} items: {share[0]:.1%} at first, "
        f"{share[-1]:.1%} after {len(share) - 1} revisions"
    ]
    if comparison := details["comparison"]:
        notes.append(
            f"guided against re-rolls without guidance on the same {comparison['items']} items: "
            f"{comparison['guided'][-1]:.1%} against {comparison['null'][-1]:.1%}, difference "
            f"{comparison['difference'][-1]:+.1%} [{comparison['low'][-1]:+.1%}, {comparison['high'][-1]:+.1%}] "
            f"({comparison['level']:.0%} interval, bootstrap over {comparison['tasks']} tasks)"
        )
    else:
        notes.append("no item ran without guidance, so it is not known what guidance adds (synthesize.null_share)")
    tokens = details["cost"]["guided"]
    line = f"calls {tokens.get('calls', 0)}, tokens {tokens.get('tokens', 0)} (guided arm)"
    if each := details["cost"]["per_accepted"]:
        line += f"; per accepted trajectory {each.get('calls', 0):.1f} calls, {each.get('tokens', 0):.0f} tokens"
    if (money := details["cost"]["money_per_accepted"]) is not None:
        line += f", money {money:.4f}"
    notes.append(line)
    if confirmation := details["confirmation"]:
        notes.append(
            f"fresh samples on {confirmation['rows']} accepted rows: weak {confirmation['weak']:.2f} -> "
            f"{confirmation['weak_fresh']:.2f}, strong {confirmation['strong']:.2f} -> "
            f"{confirmation['strong_fresh']:.2f}; {confirmation['held']} stay in the band"
        )
    if (full := details["full_diagnosis"])["items"]:
        failed = ", ".join(f"{name} {count}" for name, count in full["failed_checks"].items()) or "none"
        notes.append(f"every check was made on {full['items']} first rounds; failed: {failed}")
    if details["simulated"]:
        notes.append("made with simulated models: the figures show that the machinery works, not what real models do")
    if dropped:
        notes.append(f"{len(dropped)} accepted rows were held back by the last look before writing")
    if figures.unfinished:
        notes.append(
            f"{figures.unfinished} items were ended by faults of the sandbox or a provider: run again to take them up"
        )
    if figures.given_up:
        notes.append(
            f"{figures.given_up} items were left alone after {figures.settings.outage_tries} such faults of one round: "
            "raise synthesize.outage_tries to take them up again"
        )
    if stopped:
        notes.append(f"stopped early: {stopped}; run again to go on")
    return notes
