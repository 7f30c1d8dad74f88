"""What tests of releases share."""

from __future__ import annotations

import pytest

from tests.curator.releases.small import COLUMNS


@pytest.fixture(params=COLUMNS)
def column(request):
    return COLUMNS[request.param]
