"""Types of model profiles as pages and the answer graph see them. A key never leaves the services."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True)
class ModelProfileView:
    """`tested_at`, `test_failure`: the last try; no failure and a time means that it answered."""

    id: UUID
    name: str
    base_url: str
    model: str
    has_key: bool
    is_private: bool  # the server stands in the operator's own network
    tested_at: datetime | None
    test_failure: str
    test_seconds: float | None


@dataclass(frozen=True, slots=True)
class ModelPolicyView:
    """`is_on`: questions and passages may be sent to the profiles. Off is every organisation's default."""

    is_on: bool
    uses_installation: bool
    installation_model: str  # "" when the operator has named none
    installation_host: str
    changed_at: datetime | None


@dataclass(frozen=True, slots=True)
class ModelTrial:
    failure: str  # "" when it answered
    model: str
    seconds: float
