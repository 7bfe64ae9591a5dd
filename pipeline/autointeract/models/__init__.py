"""The one door to language models."""

from autointeract.models.types import Call, ContentFault, Reply, Usage

__all__ = ["Call", "ContentFault", "Reply", "Usage"]
