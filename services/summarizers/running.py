"""What compaction and navigation share when they have a summary written."""

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

from model.sentences import Sentence
from services.cancellation import OperationCancelled
from services.errors import ServiceError
from services.operations import DraftSummary, Review
from services.session_events import Emit, PhaseChanged

T = TypeVar("T")


async def in_parallel(works: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """Return the results of all works in order. The first failure ends the others and is raised as it is."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(work) for work in works]
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return [task.result() for task in tasks]


async def reviewed(draft: DraftSummary, review: Review | None, emit: Emit) -> str:
    """Return the text to save, as the review left it.

    Raises OperationCancelled when it was rejected, ServiceError when nothing is left of it.
    """
    if review is None:
        return draft.text
    emit(PhaseChanged("review", Sentence("Waiting for the summary to be read")))
    text = await review(draft)
    if text is None:
        raise OperationCancelled
    if not text.strip():
        raise ServiceError(Sentence("The summary is empty, so nothing was saved."))
    return text.rstrip()
