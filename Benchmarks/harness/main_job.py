"""The main job: a grade is changed, validated, stored durably, its record judged again, and the standing pushed."""

import contextlib
import tempfile

from harness import build, load, people, servers
from harness.table import figure, ratio

WRITERS = 64
FLOOR = ["load/common.c", "floor/commit.c"]
COMMITS = "raw group commits in C"


def client():
    return build.c("load-grades", "load/common.c", "load/grades.c")


def contenders():
    """What can be built here, as functions that make a server."""
    made = {"gradecast": lambda binary=build.swift("gradecast"): servers.gradecast(binary)}
    for name, builder, server in [("Go", lambda: build.go("grades"), servers.go), ("Python", build.python, servers.python)]:
        try:
            made[name] = lambda built=builder(), server=server: server(built)
        except build.Missing as reason:
            print(f"  {name} is left out: {reason}")
    return made


def same_work(running):
    """Ends the run unless every server computes the same figures from the same changes."""
    ours, *others = [(server.name, people.figures(server)) for server in running]
    for name, figures in others:
        for mine, its in zip(ours[1], figures, strict=True):
            if mine != its:
                raise RuntimeError(f"{name} computes {its}\nbut gradecast {mine}")


def measure(rounds, seconds):
    """All contenders in turn, `rounds` times, and the storage's floor."""
    result, program, floor = load.Rounds(), client(), build.c("floor-commit", *FLOOR, libraries=["sqlite3"])
    with contextlib.ExitStack() as stack:
        running = [stack.enter_context(make()) for make in contenders().values()]
        same_work(running)
        plans = [people.plan(server, WRITERS) for server in running]
        for _ in range(rounds):
            for server, plan in zip(running, plans):
                result.note(server.name, load.run(program, server, "-f", plan, "-s", seconds))
            with tempfile.TemporaryDirectory(prefix="gradecast-bench-") as folder:
                result.note(COMMITS, load.figures(build.run(floor, folder, seconds, 64)))
    return result


def main_part(rounds, seconds):
    result = measure(rounds, seconds)
    cpu, rate = result.least("gradecast", "cpu_us"), result.most("gradecast", "grades_per_second")
    rows = [
        figure("main job, 64 writers: server CPU a grade", cpu, "µs"),
        figure("… grades a second, best round", rate, "/s"),
        figure("… median of the rounds", result.median("gradecast", "grades_per_second"), "/s"),
    ]
    for name, limit in (("Go", 0.2), ("Python", 0.1)):
        if name in result.figures:
            against = f"{name}, {result.least(name, 'cpu_us'):.0f} µs, {result.most(name, 'grades_per_second'):.0f} /s"
            rows.append(ratio("… CPU a grade", against, cpu / result.least(name, "cpu_us"), limit))
    commits = result.most(COMMITS, "grades_per_second")
    return rows + [ratio("… grades a second", f"{COMMITS}, {commits:.0f} /s", rate / commits, None)]


def latency_part(rounds, seconds, per_second=500):
    """Times from a grade to its frame at a steady rate, of our server alone."""
    result, program = load.Rounds(), client()
    with servers.gradecast(build.swift("gradecast")) as server:
        plan = people.plan(server, WRITERS)
        for _ in range(rounds):
            result.note("gradecast", load.run(program, server, "-f", plan, "-s", seconds, "-r", per_second))
    what = f"grade sent → frame on its subscriber's socket, {per_second} grades/s"
    return [
        figure(f"{what}, p50", result.least("gradecast", "frame_p50") / 1e3, "ms", 1),
        figure("… p99", result.least("gradecast", "frame_p99") / 1e3, "ms", 10),
        figure("grade sent → answer, p50", result.least("gradecast", "answer_p50") / 1e3, "ms"),
        figure("answer → frame, where the frame comes later, p99", result.least("gradecast", "push_p99") / 1e3, "ms"),
    ]


def feed_part(rounds, seconds):
    """The main job with and without the projector of feeds, in turn."""
    binary = build.swift("gradecast")
    return with_and_without(
        "feeds", servers.gradecast(binary), servers.without_feeds(binary),
        "feeds' projector beside the main job: CPU a grade", rounds, seconds)


def log_part(rounds, seconds):
    """The main job with and without a line in the log for each request, in turn."""
    binary = build.swift("gradecast")
    return with_and_without(
        "lines", servers.gradecast(binary, {"log": {"requests": "all"}}), servers.gradecast(binary),
        "a line in the log for each request: CPU a grade", rounds, seconds)


def with_and_without(what, server, other, title, rounds, seconds):
    """The main job on two servers in turn, the first with something beside it that the other does not do."""
    result, program, (more, less) = load.Rounds(), client(), (f"with {what}", f"without {what}")
    with server as busy, other as plain:
        busy.name, plain.name = more, less
        plans = [people.plan(each, WRITERS) for each in (busy, plain)]
        for _ in range(rounds):
            for each, plan in zip((busy, plain), plans):
                result.note(each.name, load.run(program, each, "-f", plan, "-s", seconds))
    cost = result.least(more, "cpu_us") - result.least(less, "cpu_us")
    return [
        figure(title, cost, "µs", against=f"{less}, {result.least(less, 'cpu_us'):.1f} µs"),
        ratio(
            "… grades a second, best round", less,
            result.most(more, "grades_per_second") / result.most(less, "grades_per_second"), 0.95, is_most=False),
    ]


def growth_part(rounds, seconds, records=1_000):
    """The main job over a store with `records` records and over one with ten times as many."""
    result, program = load.Rounds(), client()
    binary = build.swift("gradecast")
    with servers.gradecast(binary) as small, servers.gradecast(binary) as large:
        small.name, large.name = f"{records} records", f"{10 * records} records"
        plans = [
            people.plan(server, WRITERS, count // WRITERS + 1)
            for server, count in ((small, records), (large, 10 * records))
        ]
        for _ in range(rounds):
            for server, plan in zip((small, large), plans):
                result.note(server.name, load.run(program, server, "-f", plan, "-s", seconds))
    growth = result.least(large.name, "cpu_us") / result.least(small.name, "cpu_us")
    return [ratio(f"main job with {10 * records} records: CPU a grade", f"with {records}", growth, 1.2)]


def memory_part(rounds, _, connections=15):
    """What an idle subscriber costs; an account may have 20 connections."""
    result, program = load.Rounds(), client()
    for _ in range(rounds):
        with servers.gradecast(build.swift("gradecast")) as server:
            plan = people.plan(server, WRITERS)
            result.note("gradecast", load.run(program, server, "-f", plan, "-c", connections))
    size = result.least("gradecast", "bytes_per_subscriber") / 1024
    return [figure(f"memory of an idle subscriber, {WRITERS * connections} of them", size, "kB", 1)]
