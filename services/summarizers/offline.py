"""Summaries without a model: the offline digest as a summariser."""

import asyncio
from typing import Final

from model.interruptions import interruptible
from model.offline_digest import Digest, history_digest, short_digest, turn_prefix_digest
from model.sentences import Sentence
from services.cancellation import CancellationToken
from services.operations import SummarizerInfo
from services.session_events import Emit, PhaseChanged, SummaryDelta
from services.summarizers.passes import PassResult, SummaryPass

OFFLINE: Final = SummarizerInfo(
    id="offline",
    name=Sentence("Offline digest"),
    description=Sentence("Quotations and counts from the entries, made without a model. Nothing leaves this machine."),
)


class OfflineSummarizer:
    """Writes the digest of the entries of a pass; the prompt isn't used."""

    info = OFFLINE

    async def write(self, task: SummaryPass, token: CancellationToken, emit: Emit) -> PassResult:
        """Return the digest. It is computed on a thread of its own, which stops soon after a cancellation."""
        count = len(task.evidence)
        reading = Sentence("Reading 1 message") if count == 1 else Sentence("Reading {0} messages", count)
        emit(PhaseChanged("summarising", reading))
        if task.name == "short summary":
            with interruptible(token.raise_if_set):
                return PassResult(await asyncio.to_thread(short_digest, task.evidence))
        with interruptible(token.raise_if_set):
            digest = await asyncio.to_thread(self._digest, task)
        emit(SummaryDelta(digest.text, task.name))
        return PassResult(digest.text, line_sources=digest.line_sources)

    @staticmethod
    def _digest(task: SummaryPass) -> Digest:
        if task.name == "turn prefix":
            return turn_prefix_digest(task.evidence)
        return history_digest(task.evidence, task.earlier)
