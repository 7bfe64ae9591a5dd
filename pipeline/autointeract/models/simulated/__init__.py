"""The simulated provider: a deterministic, seeded stand-in for every role, so that real code paths run without a
model.
"""
