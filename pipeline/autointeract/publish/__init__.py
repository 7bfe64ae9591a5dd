"""Trajectories out to the world: flat files that trainers read, the dataset card, the Hub.

Comes in: the workspace's `trajectories` (and, for the card, its other datasets and stage reports). Goes out: folders
under `<workspace>/export/<format>/`, and on request a push to the Hub. Never changes a trajectory: a row is written as
it is, or refused by name.
"""
