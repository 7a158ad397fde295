"""Trying again after a passing failure: how often, after what pause, and what the user sees of it (CP-21.3)."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from model.sentences import told
from services.endpoints.exchange import EndpointError
from services.session_events import Emit, RetryFinished, RetryScheduled, RetryStarted

if TYPE_CHECKING:
    from tenacity import RetryCallState

T = TypeVar("T")

LONGEST_PAUSE_WITH_ANOTHER_CANDIDATE_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Up to `max_retries` more attempts after pauses of `base_delay_s`, then twice as long each time."""

    max_retries: int = 3
    base_delay_s: float = 2.0
    longest_delay_s: float = 60.0

    def delay_s(self, attempt: int, error: EndpointError) -> float:
        """Return the pause before retry number `attempt` (from 1): at least what the server asked, within bounds."""
        own = self.base_delay_s * 2.0 ** (attempt - 1)
        return float(min(max(own, error.retry_after_s or 0.0), self.longest_delay_s))


async def with_retries(
    attempt: Callable[[], Awaitable[T]],
    policy: RetryPolicy,
    emit: Emit,
    *,
    another_candidate: bool = False,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> T:
    """Return what `attempt` gives, tried again after transient errors. Raises its last error.

    With `another_candidate` a pause of more than half a minute isn't waited for: the error is raised at once, so that
    the next model can be tried.
    """
    import tenacity

    def is_worth_it(state: "RetryCallState") -> bool:
        error = state.outcome.exception() if state.outcome else None
        if not isinstance(error, EndpointError) or not error.transient:
            return False
        asked = max(policy.delay_s(state.attempt_number, error), error.retry_after_s or 0.0)
        return not another_candidate or asked <= LONGEST_PAUSE_WITH_ANOTHER_CANDIDATE_S

    def pause(state: "RetryCallState") -> float:
        error = state.outcome.exception() if state.outcome else None
        return policy.delay_s(state.attempt_number, error) if isinstance(error, EndpointError) else 0.0

    def announce(state: "RetryCallState") -> None:
        error = state.outcome.exception() if state.outcome else None
        emit(RetryScheduled(state.attempt_number, policy.max_retries, pause(state), told(error) if error else ""))

    attempts = tenacity.AsyncRetrying(
        retry=is_worth_it,
        wait=pause,
        stop=tenacity.stop_after_attempt(policy.max_retries + 1),
        before_sleep=announce,
        sleep=sleep,
        reraise=True,
    )
    number = 0
    try:
        async for trial in attempts:
            number = trial.retry_state.attempt_number
            with trial:
                if number > 1:
                    emit(RetryStarted(number - 1))
                result = await attempt()
    except EndpointError:
        if number > 1:
            emit(RetryFinished(success=False))
        raise
    if number > 1:
        emit(RetryFinished(success=True))
    return result
