"""Icons, encodings, styles, the bundled demo session."""
