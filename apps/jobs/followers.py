"""Registry of those told when a job ends (notices, webhooks). Called in the ending transaction; ids only."""

from collections.abc import Callable

from apps.jobs.contracts import JobSummary

Follower = Callable[[JobSummary], None]
_followers: list[Follower] = []


def register(follower: Follower) -> None:
    if follower not in _followers:
        _followers.append(follower)


def tell(job: JobSummary) -> None:
    for follower in _followers:
        follower(job)
