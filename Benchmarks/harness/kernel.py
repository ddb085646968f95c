"""The exact engine by itself, and the steps of one grade."""

import os

from harness import build
from harness.table import Row, figure, ratio


def against(times, name):
    """The same scheme in code, in the same rounds."""
    return f"the scheme in code, {times[name + '_code_us']:.1f} µs"


def kernel_part(rounds, seconds):
    """Each figure is the least of at least nine rounds already."""
    output = build.run(build.swift("KernelBenchmark"), env=os.environ)
    print("  " + output.replace("\n", "\n  ").rstrip())
    times = {name: float(value) for name, value in (line.split("=") for line in output.split())}
    steps = ["validate", "evaluate", "write_standing", "write_tree"]
    return [
        ratio("mean of 40 grades, exact", "the same in `Double`", times["mean_exact"] / times["mean_double"], 10),
        figure("one record: 40 flat units (iut)", times["flat_units"], "µs", 10),
        figure("one record: 40 courses of three assessments", times["courses"], "µs", 50),
        ratio(
            "all three assumptions, half of 160 subjects ungraded", "one, all graded",
            times["three_assumptions"] / times["one_assumption"], 3,
        ),
        figure("10,000 records of 40 courses judged under two versions", times["rehearsal"] / 100, "s", 1),
        ratio(
            "a document: categories and items, 17 leaves", against(times, "document_course"), times["document_course"], 1.5
        ),
        ratio("… 8 courses", against(times, "document_courses"), times["document_courses"], 1.5),
        ratio(
            "… 7 units of 4 and an outcome of five conditions", against(times, "document_outcome"),
            times["document_outcome"], 2,
        ),
        figure("… from its text to its rules, the library's `iut`", times["document_read"] / 1000, "ms", 5),
        figure("… 2,000 lines checked, with 20 examples", times["document_check"] / 1000, "ms", 50),
        figure("… its laws over 200 records", times["laws"] / 1e6, "s", 2),
        Row(
            "one grade on the writer's thread, the sample year", "", f"{times['amendment']:.0f} µs = "
            + " + ".join(f"{step.replace('_', ' ')} {times[step]:.0f}" for step in steps)
            + f" + rest; read {times['read']:.0f} where it was not written a moment ago",
        ),
    ]
