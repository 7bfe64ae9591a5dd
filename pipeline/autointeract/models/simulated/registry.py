"""Who answers a simulated request: one responder a prompt, one a chat role. Deterministic by contract.

A responder sees exactly what its role sees (`SimulatedRequest`), and nothing else of the current item: equal role,
visible messages and call give equal replies, whatever the private state. Each room registers the responders of its
prompts beside its reply models; the solvers (assistant, weak, strong) are registered in `models/simulated`.
"""

from collections.abc import Callable
from typing import Any

from autointeract.errors import ConfigError
from autointeract.records import Message, Record
from autointeract.records.vocabulary import ModelRole


class SimulatedRequest(Record):
    """One sample to answer.

    Attributes:
        model: the part of the model name after "simulated/".
        variables: the JSON block of a rendered prompt, `prompt` (its name) included; null for a plain conversation.
        system: the system message's text ("" if none): the learned text and the instructions.
        seed: derived from role, call and sample index.
        book: path of the tasks dataset, the answer book; null for roles that may not see it.
    """

    role: ModelRole
    model: str
    messages: list[Message]
    variables: dict[str, Any] | None
    system: str
    tools: list[dict[str, Any]] | None
    seed: int
    book: str | None


class SimulatedReply(Record):
    """What the stand-in says: text (JSON text where a reply model is expected), and tool calls in OpenAI's shape."""

    text: str = ""
    tool_calls: list[dict[str, Any]] = []
    thinking: str | None = None


Responder = Callable[[SimulatedRequest], SimulatedReply]
_BY_PROMPT: dict[str, Responder] = {}
_BY_ROLE: dict[str, Responder] = {}


def for_prompt(name: str) -> Callable[[Responder], Responder]:
    """Decorator: answers requests rendered from the prompt file `name`."""

    def register(responder: Responder) -> Responder:
        _BY_PROMPT[name] = responder
        return responder

    return register


def for_role(role: ModelRole) -> Callable[[Responder], Responder]:
    """Decorator: answers plain conversations of this role."""

    def register(responder: Responder) -> Responder:
        _BY_ROLE[role] = responder
        return responder

    return register


def respond(request: SimulatedRequest) -> SimulatedReply:
    """The reply to one request.

    Raises:
        ConfigError: nobody is registered for it; names the prompt or role.
    """
    if request.variables is not None:
        name = str(request.variables["prompt"])
        if name not in _BY_PROMPT:
            raise ConfigError(f"the simulated provider has no responder for prompt {name!r}")
        return _BY_PROMPT[name](request)
    if request.role not in _BY_ROLE:
        raise ConfigError(f"the simulated provider cannot play role {request.role!r} in a plain conversation")
    return _BY_ROLE[request.role](request)
