"""A user as explicit rules: pure functions from the state of an interaction to what is said.

Used by the simulated provider (which plays users, judges and solvers by these rules) and by the symbolic user of
training. Nothing here calls a model, reads a file or keeps state.
"""

from autointeract.symbolic.forms import Form, read
from autointeract.symbolic.free import free_turn
from autointeract.symbolic.manners import MANNERS, dropped
from autointeract.symbolic.user import Habits, Line, Situation, speak

__all__ = ["MANNERS", "Form", "Habits", "Line", "Situation", "dropped", "free_turn", "read", "speak"]
