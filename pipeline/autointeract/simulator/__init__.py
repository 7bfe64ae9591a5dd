"""The one simulated user of the house: learned in `users`, run in `synthesis`, reused in evaluation and training.

In: the behavior prompt, a profile, the visible conversation, and - privately - a task, guidance and a plan. Out: one
turn with its private strategy. Only the utterance may ever become visible.
"""

from autointeract.simulator.responder import simulated_user
from autointeract.simulator.turn import PROMPT, UserTurnReply, next_turn

__all__ = ["PROMPT", "UserTurnReply", "next_turn", "simulated_user"]
