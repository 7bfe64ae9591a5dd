"""What a statement says, taken apart: atomic facts with spans, the interface contract, the public cases.

Pure functions on text and syntax trees; the statement is data and nothing in it is executed.
"""

from autointeract.tasks.decompose.examples import Example, find_examples
from autointeract.tasks.decompose.facts import coverage, decompose
from autointeract.tasks.decompose.interface import interface_of
from autointeract.tasks.decompose.public_cases import public_cases

__all__ = ["Example", "coverage", "decompose", "find_examples", "interface_of", "public_cases"]
