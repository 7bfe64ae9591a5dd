"""Judges one submission by assertions: starts a candidate and an examiner, and keeps the clock.

Job: `{code, setup, entry_point, assertions, limit, load_limit, memory_mb, give_up_after, ...limits}`.
Reply: `{load: {loaded, error}, results: [{status, trusted, message, got}]}`, one result an assertion, in order.
"""

import contextlib
import socket
import time

import wire

SLACK_S = 0.6
"""How long after an assertion's limit the examiner may take to report, before both sides are started afresh."""
RESTARTS = 2
"""How often a lost examiner is replaced within one submission; after that the remaining assertions fail."""


def judge(job, sides, watch):
    """The reply to an `assertions` job; raises Broken (router) or wire.Closed when the lane must end."""
    pending = list(enumerate(job["assertions"]))
    results = [{"status": "error", "message": "not reached", "trusted": True} for _ in pending]
    for _ in range(1 + RESTARTS):
        load = _round(job, sides, watch, pending, results)
        if not load["loaded"] or not pending:
            break
    return {"load": load, "results": results}


def _round(job, sides, watch, pending, results):
    pairs = [socket.socketpair() for _ in range(4)]
    (to_candidate, candidate), (to_examiner, examiner), peers, statuses = pairs
    try:
        sides["candidate"].spawn("zygote", job["limits"], [candidate, peers[0], statuses[0]])
        with contextlib.suppress(wire.Closed):  # then there is no report either
            wire.send(to_candidate, {"code": job["code"], "setup": job["setup"]})
        sides["examiner"].spawn("examine", job["examiner_limits"], [examiner, peers[1], statuses[1]])
        load = _load(job, to_candidate, watch)
        if not load["loaded"]:
            return load
        with contextlib.suppress(wire.Closed):
            body = {key: job[key] for key in ("setup", "entry_point", "limit")}
            wire.send(to_examiner, {**body, "assertions": pending})
        _collect(job, to_examiner, watch, pending, results)
        return load
    finally:
        sides["candidate"].kill()
        sides["examiner"].end()
        sides["candidate"].end()
        for pair in pairs:
            for end in pair:
                end.close()


def _load(job, ctl, watch):
    deadline = time.monotonic() + job["load_limit"]
    try:
        report = wire.receive(ctl, deadline, 100_000, watch)
    except wire.Late:
        return {"loaded": False, "error": ["TimeoutError", "loading took too long"]}
    except (wire.Closed, wire.TooLarge, ValueError, RecursionError):
        wire.still_there(watch)
        return {"loaded": False, "error": ["SystemExit", "the process ended while loading"]}
    if isinstance(report, dict) and report.get("loaded") is True:
        return {"loaded": True}
    error = report.get("error") if isinstance(report, dict) else None
    error = [str(part)[:500] for part in error[:2]] if isinstance(error, list) else []
    return {"loaded": False, "error": error if len(error) == 2 else ["Exception", ""]}


def _collect(job, ctl, watch, pending, results):
    """Moves results from the examiner to `results`; what stays in `pending` was not reached."""
    late_in_a_row = 0
    frames = wire.Frames(ctl, 100_000, watch)
    while pending:
        index = pending[0][0]
        try:
            result = frames.receive(time.monotonic() + 2 * job["limit"] + SLACK_S)
            results[index] = {key: result[key] for key in ("status", "trusted", "message", "got") if key in result}
        except wire.Late:
            results[index] = {"status": "timeout", "trusted": True}
            del pending[0]
            return
        except (wire.Closed, wire.TooLarge, ValueError, RecursionError):
            wire.still_there(watch)
            results[index] = {"status": "error", "message": "the examiner was lost in this assertion", "trusted": True}
            del pending[0]
            return
        del pending[0]
        late_in_a_row = late_in_a_row + 1 if results[index]["status"] == "timeout" else 0
        if job["give_up_after"] and late_in_a_row >= job["give_up_after"]:
            for left, _ in pending:
                results[left] = {"status": "timeout", "message": "not run after time-outs in a row", "trusted": True}
            pending.clear()
