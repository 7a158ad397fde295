"""Summaries by a model behind an endpoint."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import uuid4

from model.sentences import Sentence
from services.cancellation import CancellationToken
from services.endpoints.exchange import Endpoint, EndpointError, ModelReply, ModelRequest
from services.operations import SummarizerInfo
from services.retries import RetryPolicy, with_retries
from services.session_events import Emit, PhaseChanged, SummaryDelta, SummaryRestarted
from services.summarizers.checks import checked_text
from services.summarizers.passes import PassResult, SummaryFailed, SummaryPass, pass_title
from services.summarizers.secret_gate import SecretGate


@dataclass(frozen=True, slots=True)
class ModelSummarizer:
    """Sends each pass as one request, checks the reply and tries again after passing failures.

    `context_window` and `max_output` are tokens, None when unknown. `count_tokens` tells about how many
    tokens a text has.
    `another_candidate` tells that another model could be tried instead of waiting long.
    """

    info: SummarizerInfo
    endpoint: Endpoint
    policy: RetryPolicy
    gate: SecretGate
    count_tokens: Callable[[str], int]
    context_window: int | None = None
    max_output: int | None = None
    another_candidate: bool = False
    _asking: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)

    async def write(self, task: SummaryPass, token: CancellationToken, emit: Emit) -> PassResult:
        """Return the model's text. Raises SummaryFailed, EndpointError and OperationCancelled."""
        async with self._asking:  # two requests of one operation ask one question
            prompt = await self.gate.passed(task.request.prompt, self.endpoint.host, emit, lambda: task.evidence)
        limit = (
            min(task.request.max_tokens, self.max_output)
            if task.request.max_tokens and self.max_output
            else task.request.max_tokens
        )
        prompt_tokens = await asyncio.to_thread(self.count_tokens, task.request.system_prompt + prompt)
        self._check_size(task, prompt_tokens, limit)
        received: list[str] = []

        def on_text(text: str) -> None:
            received.append(text)
            emit(SummaryDelta(text, task.name))

        async def attempt() -> ModelReply:
            token.raise_if_set()
            if received:
                received.clear()
                emit(SummaryRestarted(task.name))
            emit(PhaseChanged("connecting", Sentence("Sending {0} tokens to {1}", prompt_tokens, self.endpoint.host)))
            request = ModelRequest.of_prompt(task.request.system_prompt, prompt, limit, str(uuid4()))
            return await self.endpoint.send(request, on_text)

        try:
            reply = await with_retries(attempt, self.policy, emit, another_candidate=self.another_candidate)
        except EndpointError as error:
            error.partial_text = error.partial_text or "".join(received)
            raise
        return PassResult(
            checked_text(reply, task, prompt_tokens), reply.usage, short_summary=reply.extra.get("shortSummary")
        )

    def _check_size(self, task: SummaryPass, prompt_tokens: int, limit: int) -> None:
        if self.context_window and prompt_tokens + limit > self.context_window:
            raise SummaryFailed(
                Sentence(
                    "The {0} request has about {1} tokens and leaves {2} for the answer, but {3} has a window of {4}. "
                    "Choose a model with a larger window, or summarise less at once: keep more recent tokens, or start "
                    "from an earlier entry.",
                    pass_title(task.name),
                    prompt_tokens,
                    limit,
                    self.endpoint.name,
                    self.context_window,
                )
            )
