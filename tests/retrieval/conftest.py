import pytest

from tests.factories.desk import Desk, make_desk


@pytest.fixture
def desk() -> Desk:
    return make_desk()
