"""Pure session logic: entries, tree, context, cut points. No Qt, no network, no files."""
