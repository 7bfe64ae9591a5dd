"""User models x verified tasks -> trajectories: controller, user, assistant, generator, evaluator, loop.

Comes in: the datasets `tasks`, `profiles` and `prompts`. Goes out: `attempts` (every round of every item) and
`trajectories` (what passed). The room never decides what a verifier says, and never shows a solver anything private.
"""
