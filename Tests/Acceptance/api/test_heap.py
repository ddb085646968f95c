"""What a piece of work asks of the heap is bounded. Counts do not depend on the machine, so they can be asserted."""

import sys

import pytest

import gradecast

sys.path.append(str(gradecast.ROOT / "Benchmarks"))

from harness import heap  # noqa: E402


# Repeats each piece of work until its least use of the heap shows.
@pytest.fixture(scope="module")
def uses(tmp_path_factory):
    """What each piece of work asks for, by its short name."""
    folder = tmp_path_factory.mktemp("heap")
    counts = folder / "counts"
    environment = heap.environment(heap.library(folder), counts)
    config = {"plugins": gradecast.PLUGINS, "people": {"enabled": False}}  # beside a grade nothing else is done
    # The demonstration counts no requests of this machine.
    server = gradecast.Server(folder, config, environment=environment).start()
    yield heap.counted(server, counts)
    assert server.stop() == 0, server.output()


# Of the debug build, which asks more often than the release build. A tenth is left for other compilers.
BOUNDS = {
    "grade": (1_110, 82_500),
    "standing": (154, 6_800),
    "known": (155, 6_900),
    # The record is not in memory, and reading its documents would ask for some ten kilobytes more.
    "forgotten": (215, 14_600),
    "health": (81, 4_550),
    "read": (1_125, 89_000),
    "frame": (4, 200),
}
if gradecast.STORE != "sqlite":
    # Another node may have written, so nothing is known from memory, and a record is read before it is changed.
    BOUNDS |= {
        "grade": (21_160, 504_000),
        "standing": (315, 39_800),
        "known": (304, 20_500),
        "forgotten": (439, 33_600),
        "read": (21_170, 510_000),
    }


@pytest.mark.parametrize("work", BOUNDS)
def test_a_piece_of_work_asks_the_heap_only_so_often(uses, work):
    calls, size = BOUNDS[work]
    assert uses[work].calls <= calls, uses[work]
    assert uses[work].size <= size, uses[work]
