"""Raw logs become sessions: one reader a format, human-turn rules, identity, redaction, merging, forgetting."""
