"""Harness: one model call in the environment's own process - no program, no child process, nothing to install.

The conversation is already there and ends on a user turn, so an episode is one request to the interception server.
"""

import httpx
import verifiers.v1 as vf
from verifiers.v1.dialects.chat import message_to_wire


class AutoInteractHarnessConfig(vf.HarnessConfig):
    """No options of its own."""


class AutoInteractHarness(vf.Harness[AutoInteractHarnessConfig]):
    """Sends the prompt, gets the next turn."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self, ctx: vf.ModelContext, trace: vf.Trace, runtime: vf.Runtime, endpoint: str, secret: str,
        mcp_urls: dict[str, str], data: vf.TaskData,
    ) -> vf.ProgramResult:  # fmt: skip
        """One turn. A refusal of the endpoint is the harness's exit code, which verifiers turns into an error."""
        system, prompt = self.resolve_prompt(data)
        messages = [{"role": "system", "content": system}] if system else []
        if isinstance(prompt, str):
            messages.append({"role": "user", "content": prompt})
        else:
            messages.extend(message_to_wire(message) for message in prompt or [])
        # No time-out here: verifiers has its own (`env.agent.timeout.rollout`).
        async with httpx.AsyncClient(timeout=None) as client:
            reply = await client.post(
                f"{endpoint.rstrip('/')}/chat/completions",
                json={"model": ctx.model, "messages": messages},
                headers={"Authorization": f"Bearer {secret}"},
            )
        if reply.status_code != 200:
            return vf.ProgramResult(1, "", f"model call: HTTP {reply.status_code}: {reply.text[:500]}")
        return vf.ProgramResult(0, "", "")
