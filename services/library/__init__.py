"""The library: the sessions on this machine, listed at once, read once, found again by their words.

Session folders are only read. What was read is kept in an SQLite index in the user's data folder, which can be thrown
away at any time: it is made again from the files.
Source: session-format spec, SF-12 and SF-13.
"""
