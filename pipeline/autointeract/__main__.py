"""`python -m autointeract`: the same as the console script."""

from autointeract.cli import main

main()
