"""Append whole lines to a session at random moments, as an agent would that knows nothing of us.

usage: python -m tests.store.writing_beside FILE COUNT SEED
"""

import os
import random
import sys
import time
from pathlib import Path

from tests.store.damaged_files import entry


def main(path: Path, count: int, seed: int) -> None:
    randomness = random.Random(seed)
    parent = "00000000"
    for number in range(count):
        id = f"f{number:07x}"
        handle = os.open(path, os.O_WRONLY | os.O_APPEND)
        os.write(handle, entry(id, parent, "y" * randomness.randrange(3000)) + b"\n")
        os.close(handle)
        parent = id
        time.sleep(randomness.random() * 0.003)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
