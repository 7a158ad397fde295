"""The prompt templates, read from the `prompts` package."""

from functools import cache
from importlib.resources import files


@cache
def prompt_text(name: str) -> str:
    """Return the template `prompts/compaction/<name>.md` without white space at its end."""
    return (files("prompts") / "compaction" / f"{name}.md").read_text(encoding="utf-8").rstrip()
