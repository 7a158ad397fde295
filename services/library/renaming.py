"""Naming a session that is not open: by its own store, as its agent does it."""

from __future__ import annotations

from pathlib import Path

from model.errors import RefusedError
from model.sentences import Sentence, told
from services.errors import ServiceError
from services.session_files import has_session_name, set_session_name
from services.session_store import SessionStore
from services.store_changes import Upgrade
from services.system_errors import os_reason


def rename_session(path: Path, name: str) -> Upgrade | None:
    """Give the session in a file a name; a blank one takes it away (SF-4.10). Blocking.

    The new entry stands behind the last one, where its agent would put it. A session that has that name already stays
    as it is. Return the upgrade of the file, if it needed one. Raises ServiceError; then nothing changed.
    """
    try:
        store = SessionStore.open(path)
    except RefusedError as error:
        raise ServiceError(told(error)) from error
    except OSError as error:
        raise ServiceError(Sentence("{0} cannot be read: {1}.", path.name, os_reason(error))) from error
    try:
        if has_session_name(store, name):
            return None
        index = store.index
        leaf_id = index.id_of(index.count - 1) if index.count else None
        set_session_name(store, leaf_id, name)
        return store.take_upgrade()
    finally:
        store.close()
