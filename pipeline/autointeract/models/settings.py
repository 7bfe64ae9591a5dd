"""Settings of the door to models: who plays each role, at what price, and how hard an endpoint may be driven.

A role's settings are its own section laid over `target` (assistant and weak alone: the model that will be trained) laid
over `default`, field by field. What belongs to one model (`price`, `context_tokens`, `served_as`, `server_schema`,
`native_n`) is not inherited by a section that names another `model`.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from autointeract.records import RUN_ONLY, SettingsModel

TransportName = Literal["auto", "direct", "litellm", "simulated", "scripted"]


class PriceSettings(SettingsModel):
    """Money for a million tokens, in one currency of your choice for all roles."""

    input: float = Field(ge=0)
    """Prompt tokens."""
    output: float = Field(ge=0)
    """Completion tokens, thinking included."""
    cached: float | None = Field(default=None, ge=0)
    """Prompt tokens that the endpoint read from its own prefix cache; null = priced like `input`."""


class LimitSettings(SettingsModel):
    """How hard one endpoint is driven (additive increase, multiplicative decrease)."""

    max_in_flight: Annotated[int, RUN_ONLY] = Field(default=96, ge=1)
    """Most samples in flight at one endpoint; half again the server's slots keeps every slot busy."""
    start_in_flight: Annotated[int, RUN_ONLY] = Field(default=16, ge=1)
    """Where the adaptive limit begins; it doubles each round trip until the first sign of overload."""
    requests_per_minute: Annotated[float | None, RUN_ONLY] = Field(default=None, gt=0)
    """Hard cap; null = none."""
    tokens_per_minute: Annotated[float | None, RUN_ONLY] = Field(default=None, gt=0)
    """Hard cap on estimated prompt tokens plus `max_tokens`; null = none."""
    retries: Annotated[int, RUN_ONLY] = Field(default=7, ge=0)
    """Further tries after a server, network or time-out fault. A rate-limited request is never given up."""
    backoff_s: Annotated[float, RUN_ONLY] = Field(default=1.0, gt=0)
    """First wait before a retry; doubles each time, with jitter."""
    max_backoff_s: Annotated[float, RUN_ONLY] = Field(default=60.0, gt=0)
    """Longest wait that the door chooses by itself; a longer Retry-After is honoured."""


class RoleSettings(SettingsModel):
    """One role's model, endpoint and sampling."""

    model: str | None = None
    """`simulated/<level>`, a litellm name (`anthropic/...`), or, with `api_base`, the name the server knows it by."""
    transport: TransportName = "auto"
    """`auto` = by the model's prefix; `direct` where `api_base` is given, else `litellm`."""
    api_base: str | list[str] | None = None
    """URL of an OpenAI-compatible server up to `/v1`; several = replicas of one model, the least busy is asked."""
    served_as: str | None = None
    """A name for the endpoint that stands for its URLs in digests and cache keys, so that a server may move."""
    api_key_env: Annotated[str | None, RUN_ONLY] = None
    """Name of the environment variable that holds the key; never the key itself."""
    temperature: float | None = Field(default=None, ge=0, le=5)
    """Null = the endpoint's own."""
    top_p: float | None = Field(default=None, gt=0, le=1)
    """Null = the endpoint's own."""
    max_tokens: int = Field(default=4096, ge=1)
    """Longest visible answer; always sent, because the budget reserves it."""
    stop: list[str] = []
    """Texts that end an answer."""
    send_seed: bool = True
    """Whether the derived seed is sent; a few providers refuse it. It is part of the cache key in any case."""
    extra_body: dict[str, Any] = {}
    """Further fields of the request (`top_k`, `chat_template_kwargs` ...), sent as they are."""
    context_tokens: int | None = Field(default=None, ge=1)
    """Context window; `max_tokens` is lowered so that prompt and answer fit. Null = left to the endpoint."""
    thinking_tokens: int = Field(default=0, ge=0)
    """Room for a reasoning model's thinking, added to `max_tokens`."""
    reasoning_effort: str | None = None
    """Sent as it is (`low`, `medium`, `high`) to endpoints that know it."""
    server_schema: bool | None = None
    """Whether the endpoint takes a JSON schema. Null = yes for `direct` until it refuses one, litellm's table else."""
    native_n: bool | None = None
    """Whether one request may ask for several samples. Null = yes for `direct` until it returns fewer, else no."""
    price: Annotated[PriceSettings | None, RUN_ONLY] = None
    """Null = litellm's local table where it knows the model, else unknown (never 0)."""
    connect_timeout_s: Annotated[float, RUN_ONLY] = Field(default=10.0, gt=0)
    """Seconds to reach the endpoint."""
    timeout_s: Annotated[float, RUN_ONLY] = Field(default=600.0, gt=0)
    """Seconds for one whole request, however slowly it drips."""
    limits: Annotated[LimitSettings | None, RUN_ONLY] = None
    """Limits of this endpoint; null = `models.limits`. Roles that share an endpoint must agree."""

    @field_validator("api_base")
    @classmethod
    def _no_credentials(cls, value: str | list[str] | None) -> str | list[str] | None:
        for url in [value] if isinstance(value, str) else value or []:
            if not url.startswith(("http://", "https://")):
                raise ValueError("api_base must begin with http:// or https://")
            if "@" in url.split("/")[2]:
                raise ValueError("api_base must not hold credentials: name a variable in api_key_env")
        return [] if value == "" else value

    @field_validator("api_key_env")
    @classmethod
    def _a_name(cls, value: str | None) -> str | None:
        if value is not None and not value.replace("_", "").isalnum():
            # The value is left out of the message: it may be the key itself.
            raise ValueError("api_key_env takes the name of an environment variable (letters, digits, _), not a key")
        return value


class BudgetSettings(SettingsModel):
    """Hard caps over a workspace's whole life, earlier runs included. A stop is clean: raise the cap and go on."""

    money: Annotated[float | None, RUN_ONLY] = Field(default=None, ge=0)
    """In the currency of the prices; null = no cap."""
    tokens: Annotated[int | None, RUN_ONLY] = Field(default=None, ge=0)
    """Prompt plus completion; null = no cap."""
    role_money: Annotated[dict[str, float], RUN_ONLY] = {}
    """Caps of single roles."""
    role_tokens: Annotated[dict[str, int], RUN_ONLY] = {}
    """Caps of single roles."""
    allow_unpriced: Annotated[bool, RUN_ONLY] = False
    """Whether a role of unknown price may run under a money cap (which then does not count it)."""


class CacheSettings(SettingsModel):
    """The reply cache."""

    enabled: Annotated[bool, RUN_ONLY] = True
    """Off = every reply is asked for again."""
    path: Annotated[str | None, RUN_ONLY] = None
    """A file shared by several workspaces; null = `cache/replies.sqlite` in the workspace."""


class ModelsSettings(SettingsModel):
    """Section `models`."""

    default: RoleSettings = RoleSettings()
    """What every role starts from."""
    target: RoleSettings = RoleSettings()
    """The model that will be trained: what assistant and weak start from."""
    simulator: RoleSettings = RoleSettings()
    """Writes the user's turns."""
    judge: RoleSettings = RoleSettings()
    """Labels, scores and audits."""
    controller: RoleSettings = RoleSettings()
    """Plans conversations and turns failures into guidance."""
    writer: RoleSettings = RoleSettings()
    """Writes profiles and proposes prompts."""
    assistant: RoleSettings = RoleSettings()
    """The coding agent the simulated user talks to."""
    weak: RoleSettings = RoleSettings()
    """The weak solver."""
    strong: RoleSettings = RoleSettings()
    """The strong solver."""
    limits: LimitSettings = LimitSettings()
    """How hard endpoints are driven that have no limits of their own; each endpoint is limited by itself."""
    budget: BudgetSettings = BudgetSettings()
    """What may be spent."""
    cache: CacheSettings = CacheSettings()
    """Where replies are kept."""
    grace_s: Annotated[float, RUN_ONLY] = Field(default=30.0, ge=0)
    """After a stop (signal, deadline) no request is begun or tried again; those in flight may take this long to end,
    and what they bring is kept."""

    @model_validator(mode="after")
    def _known_roles(self) -> Self:
        from autointeract.records.vocabulary import MODEL_ROLES

        for name in ("role_money", "role_tokens"):
            for role in getattr(self.budget, name):
                if role not in MODEL_ROLES:
                    raise ValueError(f"budget.{name} names {role!r}; roles are {', '.join(MODEL_ROLES)}")
        return self
