"""Who writes a summary: a model, the remote endpoint, or the offline digest."""
