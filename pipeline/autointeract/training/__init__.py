"""What is imported inside a trainer's process: rewards, and adapters to the trainers people use. Light imports only.

Comes in: one row of an export and a model's response. Goes out: a score in [0, 1] by execution, exactly as the paper
defines it: share of assertions (or cases) that pass; share of FAIL_TO_PASS fixed, 0 if any PASS_TO_PASS regresses. A
fault of the sandbox is never a 0: it is retried, then raised (or whatever `on_fault` says). Needs the plain install;
never imports litellm, dspy, datasets, torch or pandas.
"""
