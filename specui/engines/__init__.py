"""Programs that generate text, driven so that what they do becomes facts."""
