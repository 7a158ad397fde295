"""Images of a session, decoded on a worker: only plain formats, never larger than a person looks at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QBuffer, QByteArray, QCoreApplication, QIODevice, QLocale, QSize, Qt
from PySide6.QtGui import QImage, QImageReader

from model.interruptions import interruptibly
from services.blobs import BlobFolders, is_blob_reference

translate = QCoreApplication.translate

MOST_PIXELS = 64_000_000
MOST_BYTES = 64 << 20
SIDE = 1600  # pixels: larger images are scaled down
SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", 0, b"png"),
    (b"\xff\xd8\xff", 0, b"jpeg"),
    (b"GIF8", 0, b"gif"),
    (b"WEBP", 8, b"webp"),
    (b"BM", 0, b"bmp"),
)
"""The formats that can hold nothing but an image; a drawing could name files to load."""


def decoded_images(blocks: Mapping[str, Mapping[str, Any]], folders: BlobFolders) -> dict[str, QImage | str]:
    """Return for each named image block its image, or a sentence why there is none. May read blobs. Interruptible."""
    found: dict[str, QImage | str] = {}
    for name, block in interruptibly(blocks.items(), each=1):
        data = folders.image(block)
        if not data:
            found[name] = _missing(block)
        else:
            found[name] = decoded_image(data)
    return found


def decoded_image(data: bytes) -> QImage | str:
    """Return an image, or a sentence why it is none. For any thread."""
    form = next((form for sign, place, form in SIGNATURES if data[place : place + len(sign)] == sign), None)
    size_text = QLocale().formattedDataSize(len(data))
    if form is None or len(data) > MOST_BYTES:
        return translate("EntryImages", "This image can't be shown: {0} of an unknown format.").format(size_text)
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(form))
    reader.setDecideFormatFromContent(False)
    reader.setAutoTransform(True)
    size = reader.size()
    if size.isValid() and size.width() * size.height() > MOST_PIXELS:
        return translate("EntryImages", "This image can't be shown: it has {0} × {1} pixels.").format(
            size.width(), size.height()
        )
    if size.isValid() and max(size.width(), size.height()) > SIDE:
        reader.setScaledSize(size.scaled(QSize(SIDE, SIDE), Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    if image.isNull():
        return translate("EntryImages", "This image is damaged: {0} that can't be decoded.").format(size_text)
    return image


def _missing(block: Mapping[str, Any]) -> str:
    data = block.get("data")
    if is_blob_reference(data):
        return translate("EntryImages", "This image is not there any more: {0} was not found or is damaged.").format(
            data
        )
    if not isinstance(data, str) or not data:
        return translate("EntryImages", "No content")
    return translate("EntryImages", "This image is damaged: its data can't be read.")
