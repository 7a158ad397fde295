"""Where a provider's key comes from: an environment variable, the memory of this run, else the system keyring.

Never a settings file.

A variable's key goes only to the host of its provider, unless the settings name the variable for an endpoint.
"""

import asyncio
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from model.sentences import Sentence
from services.errors import ServiceError
from services.model_catalog import ModelCatalog, model_catalog

log = logging.getLogger(__name__)

KEYRING_SERVICE: Final = "branchwork"

_held_in_this_run: dict[str, str] = {}
"""Keys by host that are held until the program ends, where there is no keyring. They are written nowhere."""


class Keyring(Protocol):
    """The three calls of the `keyring` package that are used."""

    def get_password(self, service: str, username: str) -> str | None: ...
    def set_password(self, service: str, username: str, password: str) -> None: ...
    def delete_password(self, service: str, username: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Key:
    """A key and where it was found. Its text form doesn't show it."""

    value: str = field(repr=False)
    source: Sentence
    is_removable: bool = False
    """Whether `KeyStore.delete` takes it away."""


class KeyStore:
    """The keys of endpoints, by host. Calls of the keyring may block on its dialog, so they run on other threads."""

    def __init__(
        self,
        environ: Mapping[str, str] | None = None,
        keyring: Keyring | None = None,
        catalog: ModelCatalog | None = None,
        held: dict[str, str] | None = None,
    ) -> None:
        self._environ = os.environ if environ is None else environ
        self._keyring_given = keyring
        self._catalog = catalog or model_catalog()
        self._held = _held_in_this_run if held is None else held

    def from_environment(self, host: str, variable: str | None = None) -> Key | None:
        """Return the key of the named variable, or of the variables of the provider at `host`; None without one."""
        provider = self._catalog.provider_at(host)
        for name in [variable] if variable else provider.key_variables if provider else ():
            if value := self._environ.get(name, "").strip():
                return Key(value, Sentence("environment variable {0}", name))
        return None

    async def find(self, host: str, variable: str | None = None) -> Key | None:
        """Return the key for `host`, or None. A keyring that doesn't work counts as empty and is logged."""
        if key := self.from_environment(host, variable):
            return key
        if held := self._held.get(host):
            return Key(held, Sentence("memory of this run of the program"), is_removable=True)
        try:
            value = await asyncio.to_thread(lambda: self._keyring().get_password(KEYRING_SERVICE, host))
        except Exception as error:  # backends raise what they like
            log.warning("the keyring could not be read: %s", type(error).__name__)
            return None
        return Key(value, Sentence("system keyring"), is_removable=True) if value else None

    async def save(self, host: str, value: str) -> None:
        """Put a key into the keyring. Raises ServiceError when there is none that works."""
        await self._change(lambda keyring: keyring.set_password(KEYRING_SERVICE, host, value.strip()))
        self._held.pop(host, None)

    def hold(self, host: str, value: str) -> None:
        """Keep a key in memory until the program ends, for all stores of this process. It is written nowhere."""
        self._held[host] = value.strip()

    async def delete(self, host: str) -> None:
        """Forget a key that is held, else take it out of the keyring. Raises ServiceError when that doesn't work."""
        if self._held.pop(host, None) is not None:
            return
        await self._change(lambda keyring: keyring.delete_password(KEYRING_SERVICE, host))

    async def _change(self, change: "Change") -> None:
        try:
            await asyncio.to_thread(lambda: change(self._keyring()))
        except Exception as error:
            raise ServiceError(
                Sentence(
                    "The system keyring could not be changed ({0}). Set the provider's environment variable instead.",
                    type(error).__name__,
                )
            ) from None

    def _keyring(self) -> Keyring:
        if self._keyring_given is not None:
            return self._keyring_given
        import keyring

        return keyring


class Change(Protocol):
    """A change of the keyring."""

    def __call__(self, keyring: Keyring, /) -> None: ...
