"""Finds the target of a format by name."""

from autointeract.publish.atif_target import AtifTarget
from autointeract.publish.messages_target import MessagesTarget
from autointeract.publish.rl_target import RlTarget
from autointeract.publish.settings import ExportSettings, Format
from autointeract.publish.target import Target
from autointeract.publish.verifiers_target import VerifiersTarget
from autointeract.workspace import Workspace


def make_target(name: Format, settings: ExportSettings, workspace: Workspace) -> Target:
    """The target that writes the format `name`."""
    if name == "rl":
        return RlTarget(settings)
    if name == "verifiers":
        return VerifiersTarget()
    if name == "messages":
        return MessagesTarget()
    return AtifTarget(workspace.attempts)
