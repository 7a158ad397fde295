"""Says which Debian packages are missing for Qt; runs on a bare Python, before anything is installed.

usage: check_system.py [--print-missing]
Exit code 0: all there (or not Linux). With --print-missing the package names alone are printed, for apt-get.
"""

from __future__ import annotations

import ctypes
import sys

# Library that PySide6 loads at run time -> the Debian package that has it.
LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}


def missing_packages() -> list[str]:
    """Return the Debian packages whose libraries cannot be loaded."""
    missing = []
    for library, package in LIBRARIES.items():
        try:
            ctypes.CDLL(library)
        except OSError:
            missing.append(package)
    return missing


def main() -> int:
    """Report, and return the exit code."""
    if not sys.platform.startswith("linux"):
        return 0
    missing = missing_packages()
    if "--print-missing" in sys.argv[1:]:
        print(" ".join(missing))
        return 0
    if not missing:
        return 0
    print("Qt needs system libraries that are not installed. On Debian or Ubuntu:", file=sys.stderr)
    print(f"    apt-get install {' '.join(missing)}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
