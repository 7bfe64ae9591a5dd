"""Who the users are and how they behave: sessions -> labels -> fingerprints -> profiles -> population; the behavior
prompt.
"""
