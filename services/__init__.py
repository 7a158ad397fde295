"""Work on files and networks, in worker threads: store, jobs, summaries, settings."""
