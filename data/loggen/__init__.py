"""The parts of data/generate_logs.py: users, session plans, wording, text, records, checks. Standard library only."""
