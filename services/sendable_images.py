"""Which images may go with a prompt, and those of a message that is taken up again."""

import base64
from typing import Final

from model.entries import message_of
from model.json_text import JsonObject
from model.messages import content_blocks
from model.turn_messages import AttachedImage
from services.blobs import BlobFolders

MIME_TYPES: Final = ("image/png", "image/jpeg", "image/gif", "image/webp")  # what all providers take
MOST_BYTES: Final = 5_000_000  # of one image
MOST_IMAGES: Final = 10


def images_of_input(entry: JsonObject, folders: BlobFolders) -> tuple[tuple[AttachedImage, ...], int]:
    """Return the images of a user message or `custom_message` that can be sent again, and how many can't.

    May read blobs.
    """
    message = message_of(entry) or entry
    blocks = [block for block in content_blocks(message.get("content")) if block.get("type") == "image"]
    images = [image for block in blocks if (image := _sendable(block, folders)) is not None][:MOST_IMAGES]
    return tuple(images), len(blocks) - len(images)


def _sendable(block: JsonObject, folders: BlobFolders) -> AttachedImage | None:
    mime_type, data = block.get("mimeType"), folders.image(block)
    if mime_type not in MIME_TYPES or data is None or len(data) > MOST_BYTES:
        return None
    return AttachedImage(mime_type, base64.b64encode(data).decode("ascii"))
