"""A few cycles of the crash test; the long run is `make crash CYCLES=200`."""

import pytest

from crash import crash


def test_nothing_acknowledged_is_lost_when_the_server_is_killed(tmp_path):
    counts = crash(tmp_path, cycles=3, writer_count=4)
    assert counts["cycles"] == 3
    assert counts["acknowledged"] > 0


@pytest.mark.long
def test_nothing_acknowledged_is_lost_in_many_kills(tmp_path):
    counts = crash(tmp_path, cycles=40, writer_count=8, seed=2)
    assert counts["cycles"] == 40
