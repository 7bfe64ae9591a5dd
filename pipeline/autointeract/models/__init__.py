"""The one door to language models: roles, endpoints, cache, limiter, budget, structured replies, ledger."""

from autointeract.models.doctor import doctor, preflight
from autointeract.models.door import Models
from autointeract.models.settings import ModelsSettings, PriceSettings, RoleSettings
from autointeract.models.types import Call, ContentFault, Reply, Usage

__all__ = [
    "Call", "ContentFault", "Models", "ModelsSettings", "PriceSettings", "Reply", "RoleSettings", "Usage", "doctor",
    "preflight",
]  # fmt: skip
