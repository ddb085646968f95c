"""What the tests of sign-in share."""

import pytest
from oidc import configuration

import gradecast


@pytest.fixture(scope="module")
def campus(tmp_path_factory, issuer, other):
    """A server whose people come from two issuers."""
    folder = tmp_path_factory.mktemp("oidc")
    config = configuration(folder, {"university": issuer.url, "academy": other.url})
    running = gradecast.Server(folder, config=config, demo=True).start()
    yield running
    assert running.stop() == 0, running.output()
