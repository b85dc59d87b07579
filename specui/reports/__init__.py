"""Sets of runs as text: pure functions, data in, text out."""
