"""Nothing that looks like a secret leaves this machine unasked: the gate in front of every endpoint elsewhere."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field

from model.digest_evidence import Evidence
from model.sentences import Sentence
from services.cancellation import OperationCancelled
from services.endpoints.http_exchange import is_loopback
from services.errors import ServiceError
from services.questions import SecretsAnswer, SecretsFound
from services.secrets_scan import Secret, counted_kinds, find_secrets, masked
from services.session_events import Emit, PhaseChanged
from services.summarizers.secret_places import holding_entries

GivenEvidence = Callable[[], Iterable[Evidence]]
AskAboutSecrets = Callable[[SecretsFound, Emit], Awaitable[SecretsAnswer]]


class SecretsHeldBack(ServiceError):
    """Likely secrets were found and nobody could be asked, so nothing was sent."""

    def __init__(self, found: SecretsFound) -> None:
        kinds = counted_kinds(found.secrets)
        super().__init__(
            Sentence("The text for {0} holds what looks like secrets ({1}), so nothing was sent.", found.host, kinds)
        )
        self.found = found


@dataclass(slots=True)
class SecretGate:
    """Asks once for each host in a session. `ask` None refuses; answers hold until the session is closed."""

    ask: AskAboutSecrets | None = None
    _answers: dict[str, SecretsAnswer] = field(default_factory=dict)

    async def passed(self, text: str, host: str, emit: Emit, evidence: GivenEvidence = tuple) -> str:
        """Return the text that may be sent to `host`, masked where the user wants that.

        `evidence` gives the messages that the text was made of, for saying where a secret stands. Raises
        SecretsHeldBack, and OperationCancelled when the user stops.
        """
        [passed] = await self.passed_each([text], host, emit, evidence)
        return passed

    async def passed_each(
        self, texts: Sequence[str], host: str, emit: Emit, evidence: GivenEvidence = tuple
    ) -> list[str]:
        """As `passed` for several texts, about which one question is asked."""
        if is_loopback(host.rpartition(":")[0].strip("[]") or host) or is_loopback(host):
            return list(texts)
        secrets = await asyncio.to_thread(lambda: [find_secrets(text) for text in texts])
        if not any(secrets):
            return list(texts)
        answer = self._answers.get(host) or await self._asked(host, texts, secrets, emit, evidence)
        if answer == "stop":
            raise OperationCancelled
        self._answers[host] = answer
        if answer == "send":
            return list(texts)
        return [masked(text, found) for text, found in zip(texts, secrets, strict=True)]

    async def _asked(
        self, host: str, texts: Sequence[str], secrets: list[list[Secret]], emit: Emit, evidence: GivenEvidence
    ) -> SecretsAnswer:
        values = [text[each.start : each.end] for text, found in zip(texts, secrets, strict=True) for each in found]
        entry_ids = await asyncio.to_thread(lambda: holding_entries(values, evidence()))
        found = SecretsFound(host, tuple(each for found in secrets for each in found), entry_ids)
        if self.ask is None:
            raise SecretsHeldBack(found)
        emit(PhaseChanged("secrets", Sentence("What looks like secrets would be sent to {0}", host)))
        return await self.ask(found, emit)
