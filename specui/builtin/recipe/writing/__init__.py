"""The text that the toys learn from: written for them, in eight categories, and free for any use (CC0-1.0)."""
