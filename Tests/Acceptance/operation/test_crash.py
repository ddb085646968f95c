"""A few cycles of the crash tests; the long runs are `make crash` and `make power CYCLES=500`."""

import pytest

from crash import Lost, crash
from power import power
from stored import of_a_file


# Kills and starts a server, again and again.
@pytest.mark.slow("kills the server three times under four writers, and checks what they know after each")
def test_nothing_acknowledged_is_lost_when_the_server_is_killed(tmp_path):
    counts = crash(tmp_path, cycles=3, writer_count=4)
    assert counts["cycles"] == 3
    assert counts["acknowledged"] > 0


# Starts a server over what was left, again and again.
@of_a_file("its syncs; test_database_faults.py kills PostgreSQL in the middle of groups")
@pytest.mark.slow("records a run under load, and starts a server over what each of four power cuts leaves")
def test_nothing_acknowledged_is_lost_with_the_power(tmp_path):
    counts = power(tmp_path, cycles=4, writer_count=3, changes=20)
    assert counts["cycles"] == 4
    assert counts["acknowledged"] > 0


@of_a_file("its syncs; test_database_faults.py kills PostgreSQL in the middle of groups")
@pytest.mark.slow("records a run under load, and starts servers over what power cuts leave of it")
def test_a_disk_that_does_not_keep_its_syncs_is_found_out(tmp_path):
    """The test can fail: on such a disk the same checks find losses, or no store at all."""
    with pytest.raises((Lost, AssertionError)):
        power(tmp_path, cycles=4, writer_count=2, changes=20, keeps_syncs=False)


@pytest.mark.long
def test_nothing_acknowledged_is_lost_in_many_kills(tmp_path):
    counts = crash(tmp_path, cycles=40, writer_count=8, seed=2)
    assert counts["cycles"] == 40


@of_a_file("its syncs; test_database_faults.py kills PostgreSQL in the middle of groups")
@pytest.mark.long
def test_nothing_acknowledged_is_lost_in_many_power_losses(tmp_path):
    counts = power(tmp_path, cycles=60, seed="2")
    assert counts["cycles"] == 60
