"""Rows of text out of facts: pure functions that the panels draw."""
