"""Repository tasks: the assistant and the solvers work with tools in the task's container; patches are scored.

workbench.py   a container of the task's image in which an agent's commands run, and the diffs that come out
tools.py       the tools an agent has
agent.py       the loop: model, tools, model, ... until it speaks to the user
play.py        conversations of a user with such an agent
judge.py       the evaluator's parts that differ: solvers are agents, an answer is a patch
"""
