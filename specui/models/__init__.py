"""Model files: where they are and what they are called."""
