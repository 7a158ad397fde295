"""The settings dialog: every setting with its value, where that comes from, and a way back to the level below."""
