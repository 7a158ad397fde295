"""Which entries each line of a stored summary comes from, found again in whatever the lines were put into."""

from collections.abc import Iterable

from services.summarizers.passes import PassResult


def aligned_sources(text: str, results: Iterable[PassResult]) -> tuple[tuple[str, ...], ...]:
    """Return for each line of `text` the entry ids of the equal line of a digest; empty when no line has any.

    A line that a person edited, and what was put around the digest, comes from nowhere.
    """
    known: dict[str, tuple[str, ...]] = {}
    for result in results:
        for line, ids in zip(result.text.split("\n"), result.line_sources, strict=False):
            if ids:
                known.setdefault(line, ids)
    sources = tuple(known.get(line, ()) for line in text.split("\n"))
    return sources if any(sources) else ()
