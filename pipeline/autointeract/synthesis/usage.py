"""What an attempt used: tokens of the replies that were used, by role. Reproducible, so it may stand in rows."""

from autointeract.models import Reply, Usage


class UsedTokens:
    """Adds up usage by role."""

    def __init__(self) -> None:
        self._by_role: dict[str, Usage] = {}

    def add(self, role: str, usage: Usage) -> None:
        """Counts one reply."""
        self._by_role[role] = self._by_role.get(role, Usage()) + usage

    def count(self, role: str, reply: Reply) -> Reply:
        """Counts a reply and hands it on."""
        self.add(role, reply.usage)
        return reply

    def view(self) -> dict[str, dict[str, int]]:
        """`{role: {"calls", "prompt_tokens", ...}}`, roles in order."""
        return {role: usage.model_dump(mode="json") for role, usage in sorted(self._by_role.items())}
