"""The append-only journal of a run: written by one process, read by any."""
