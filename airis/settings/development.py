"""`make run`: everything embedded, on this machine only."""

from airis.settings.base import *  # noqa: F403
