"""Images that go with a prompt: chosen, pasted or dropped, read on a worker, shown as buttons that take them back."""

from __future__ import annotations

import base64
from pathlib import Path

from PySide6.QtCore import QBuffer, QCoreApplication, QIODevice, QMimeData, QMimeDatabase, Qt, QUrl, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gui.icons import icon
from gui.latest_job import LatestJob
from gui.translation import shown
from gui.turns import open_next_turn
from gui.widgets import label
from model.turn_messages import AttachedImage
from services.cancellation import CancellationToken
from services.errors import ServiceError
from services.sendable_images import MIME_TYPES, MOST_BYTES, MOST_IMAGES
from services.system_errors import os_reason

translate = QCoreApplication.translate


class Attachments(QWidget):
    """The images of the prompt that is being written.

    Signals: `changed`; `refused` (sentence) for what can't be attached.
    """

    changed = Signal()
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._images: list[tuple[str, AttachedImage]] = []
        self._reading = LatestJob(self)
        self._row = QHBoxLayout()
        self._row.addStretch(1)
        self.note = label(style="muted", wrap=True)
        self.note.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self._row)
        column.addWidget(self.note)
        self.buttons: list[QPushButton] = []
        self.hide()

    @property
    def images(self) -> tuple[AttachedImage, ...]:
        """The images in order."""
        return tuple(image for _, image in self._images)

    @property
    def is_reading(self) -> bool:
        """Whether an image is still being read."""
        return self._reading.running

    def put(self, images: tuple[AttachedImage, ...], left_out: int = 0) -> None:
        """Have the images of a message in place of what is here; `left_out` more of it can't be sent again."""
        name = self.tr("Image of the message")
        self._images = [(name, image) for image in images]
        self.note.setText(
            self.tr("1 image of the message can't be sent again")
            if left_out == 1
            else self.tr("{0} images of the message can't be sent again").format(left_out)
        )
        self.note.setVisible(left_out > 0)
        self._show()

    def close_reading(self) -> None:
        """Stop reading and wait for it."""
        self._reading.close()

    def choose(self) -> None:
        """Ask for image files."""
        dialog = QFileDialog(self, self.tr("Attach images"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilters([self.tr("Images (*.png *.jpg *.jpeg *.gif *.webp)")])
        dialog.filesSelected.connect(lambda names: self.add_files([Path(name) for name in names]))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        open_next_turn(dialog)

    def add_from(self, data: QMimeData) -> bool:
        """Attach the images of pasted or dropped data; False when there are none."""
        paths = [Path(url.toLocalFile()) for url in data.urls() if is_image_file(url)]
        if paths:
            self.add_files(paths)
            return True
        image = data.imageData() if data.hasImage() else None
        if isinstance(image, QImage) and not image.isNull():
            name = self.tr("Pasted image")
            self._read(lambda _token: [(name, _encoded(image))])
            return True
        return False

    def add_files(self, paths: list[Path]) -> None:
        """Read image files and attach them."""

        def read(token: CancellationToken) -> list[tuple[str, AttachedImage]]:
            found = []
            for path in paths:
                token.raise_if_set()
                found.append((path.name, _image_of(path)))
            return found

        self._read(read)

    def _read(self, read: object) -> None:
        if self._reading.running:
            self.refused.emit(self.tr("An image is still being read; try again in a moment."))
            return
        self._reading.start(read, self._add, self.refused.emit)  # type: ignore[arg-type]

    def _add(self, found: list[tuple[str, AttachedImage]]) -> None:
        room = MOST_IMAGES - len(self._images)
        if len(found) > room:
            self.refused.emit(self.tr("A prompt takes up to {0} images.").format(MOST_IMAGES))
        self._images += found[:room]
        self._show()

    def _remove(self, place: int) -> None:
        del self._images[place]
        self._show()

    def _show(self) -> None:
        for button in self.buttons:
            self._row.removeWidget(button)
            button.deleteLater()
        self.buttons = []
        for place, (name, image) in enumerate(self._images):
            size = self.locale().formattedDataSize(len(image.data) * 3 // 4)
            button = QPushButton(icon("close"), f"{name[:40]} · {size}")
            button.setToolTip(self.tr("Do not send this image"))
            button.setAccessibleName(self.tr("Remove the image {0}").format(name))
            button.clicked.connect(lambda _checked=False, place=place: self._remove(place))
            self._row.insertWidget(place, button)
            self.buttons.append(button)
        self.setVisible(bool(self._images) or not self.note.isHidden())
        self.changed.emit()


def has_images(data: QMimeData) -> bool:
    """Tell whether pasted or dropped data holds images."""
    return data.hasImage() or any(is_image_file(url) for url in data.urls())


def is_image_file(url: QUrl) -> bool:
    """Tell by its name whether a file is an image that can be attached."""
    mime_type = QMimeDatabase().mimeTypeForFile(url.toLocalFile(), QMimeDatabase.MatchMode.MatchExtension)
    return url.isLocalFile() and mime_type.name() in MIME_TYPES


def _image_of(path: Path) -> AttachedImage:
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise ServiceError(
            translate("Attachments", "{0} can't be read: {1}.").format(path.name, shown(os_reason(error)))
        ) from error
    if len(data) > MOST_BYTES:
        raise ServiceError(
            translate("Attachments", "{0} is larger than {1} MB, which models don't take.").format(
                path.name, MOST_BYTES // 1_000_000
            )
        )
    mime_type = QMimeDatabase().mimeTypeForData(data).name()
    if mime_type not in MIME_TYPES:
        raise ServiceError(translate("Attachments", "{0} is no PNG, JPEG, GIF or WebP image.").format(path.name))
    return AttachedImage(mime_type, base64.b64encode(data).decode("ascii"))


def _encoded(image: QImage) -> AttachedImage:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, "PNG"):  # type: ignore[call-overload]
        raise ServiceError(translate("Attachments", "The pasted image can't be read."))
    data = bytes(buffer.data().data())
    if len(data) > MOST_BYTES:
        raise ServiceError(
            translate("Attachments", "The pasted image is larger than {0} MB, which models don't take.").format(
                MOST_BYTES // 1_000_000
            )
        )
    return AttachedImage("image/png", base64.b64encode(data).decode("ascii"))
