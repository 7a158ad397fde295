"""Chat turns: what is sent, stored and told, and the three triggers of a compaction."""
