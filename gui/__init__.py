"""The window: Qt widgets, item model, delegate, dialogs."""
