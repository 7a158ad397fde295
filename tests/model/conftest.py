"""No property test is timed, so that a busy machine fails none."""

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
