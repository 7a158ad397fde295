"""The inspector: tabs about the selected entry and about what an act would do."""
