"""Topics of compaction and branch summaries: vector shapes to model calls and back."""

from collections.abc import Callable
from typing import Any

TOPICS: dict[str, Callable[[str, dict[str, Any]], Any]] = {}
