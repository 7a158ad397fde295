"""Which records of a session hold one and the same reply of a model, so that what it used counts once.

Agents store a reply as one entry. A session that was imported from another program may hold several, one for each
content block, and each repeats the usage of the whole reply; those that were written while it still came in tell fewer
output tokens. Source: session-format spec, SF-5.1, SF-5.3 and SF-12.
"""

from __future__ import annotations

from hashlib import blake2b
from struct import Struct
from typing import TYPE_CHECKING, Any, Final

from model.entries import message_of
from model.json_text import JsonObject
from model.messages import role_of
from model.usage import usage_number

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NO_REPLY: Final = 0
"""The key of all that is not known to be a record of a reply."""

_pack: Final = Struct("<3d").pack


def reply_key(entry: JsonObject) -> int:
    """Return what all records of one reply have in common, a number of 64 bits; NO_REPLY for other entries."""
    message = message_of(entry)
    if message is None or role_of(message) != "assistant":
        return NO_REPLY
    reply_id = message.get("responseId") or message.get("id")
    return key_of_reply(reply_id, message.get("provider"), message.get("model"), message.get("usage"))


def key_of_reply(reply_id: Any, provider: Any, model: Any, usage: Any) -> int:
    """Return the key of a reply that says this of itself, NO_REPLY without an id.

    The provider's id of a reply is not enough: some local servers choose among a thousand. So what was sent, which is
    the same in all records of a reply, has to have had the same size as well.
    """
    if not isinstance(reply_id, str) or not reply_id:
        return NO_REPLY
    names = f"{reply_id}\0{provider if isinstance(provider, str) else ''}\0{model if isinstance(model, str) else ''}"
    sizes = _pack(usage_number(usage, "input"), usage_number(usage, "cacheRead"), usage_number(usage, "cacheWrite"))
    digest = blake2b(names.encode("utf-8", "surrogatepass") + sizes, digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


def counted_once(values: NDArray[np.float64], replies: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return `values`, one or one line of numbers for each record, so that their sum counts each reply once.

    Of the records of a reply the largest number counts; it stands at the first of them, the others get 0.
    """
    import numpy as np  # the library's reader has no use for it

    counted = values.copy()
    places = np.flatnonzero(replies != NO_REPLY)
    if not len(places):
        return counted
    order = places[np.argsort(replies[places], kind="stable")]
    keys = replies[order]
    starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    counted[order] = 0
    counted[order[starts]] = np.maximum.reduceat(values[order], starts, axis=0)
    return counted
