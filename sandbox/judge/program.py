"""Runs one program: replaced by the program itself. Filled with its files, its standard streams are the router's."""


def execute(ctl, stdin, stdout, stderr):
    """Placeholder until programs are judged."""
    raise NotImplementedError
