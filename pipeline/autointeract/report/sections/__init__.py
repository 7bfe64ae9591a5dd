"""The sections of the page, one module a part of the flow. Each takes the workspace and gives blocks."""
