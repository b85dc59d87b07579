"""Widgets: each draws one reactive."""
