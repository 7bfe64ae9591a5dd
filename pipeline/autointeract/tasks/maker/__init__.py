"""The SWE task maker: function-level bugs in any Python package that has a pytest suite, as SWE-smith-shaped rows.

sources.py    a local checkout or an sdist -> a clean tree (nothing of it is executed on this machine)
modifiers.py  one small pure function a kind of bug: a syntax node -> a wrong one
bugs.py       a tree -> candidate bugs in a seeded order
image.py      a tree -> a task image: the tree committed at /testbed, its dependencies beside it
suite.py      runs a suite in a container and reads what its plugin wrote
statement.py  a bug -> an issue text that names behaviour, neither tests nor the fix
make.py       all of it: package -> instances (`make`)
"""
