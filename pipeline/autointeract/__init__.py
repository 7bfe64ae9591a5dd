"""AutoInteract: logs of real users become user models; user models meet verified tasks; out comes data an RL trainer
can score.

Importing this package imports nothing heavy: every room is imported by the command that uses it.
"""

__version__ = "0.1.0"
