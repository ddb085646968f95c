"""How writing grows with nodes: the main job over one database, through one, two and three servers."""

import concurrent.futures
import contextlib
import pathlib
import tempfile

from harness import build, load, people, servers
from harness.database_job import migrated
from harness.main_job import client
from harness.postgres import Cluster
from harness.table import figure, ratio

NODES = 3
WRITERS_OF_NODE = 64


def node(binary, url, key, config=None):
    server = servers.gradecast_on(binary, url, config)
    server.environment["GRADECAST_PEPPER"] = str(key)
    return server


def together(program, running, plans, seconds):
    """All nodes at once, each with its writers; their sums, and the slowest's times."""
    with concurrent.futures.ThreadPoolExecutor(len(running)) as pool:
        done = list(pool.map(
            lambda pair: load.run(program, pair[0], "-f", pair[1], "-s", seconds), zip(running, plans)))
    return {
        "grades_per_second": sum(each["grades_per_second"] for each in done),
        "cpu_us": sum(each["cpu_us"] * each["grades"] for each in done) / sum(each["grades"] for each in done),
        "answer_p50": max(each["answer_p50"] for each in done),
    }


def nodes_part(rounds, seconds):
    result, program, binary = load.Rounds(), client(), build.swift("gradecast")
    with contextlib.ExitStack() as stack:
        cluster = stack.enter_context(Cluster())
        url = migrated(cluster, binary, "nodes")
        key = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gradecast-bench-"))) / "pepper"
        running = [stack.enter_context(node(binary, url, key)) for _ in range(NODES)]
        lines = people.plan(running[0], NODES * WRITERS_OF_NODE).read_text().splitlines()
        plans = []
        for number in range(NODES):
            plans.append(key.parent / f"plan-{number}")
            plans[-1].write_text("\n".join(lines[number::NODES]) + "\n")
        for _ in range(rounds):
            for count in range(1, NODES + 1):
                result.note(f"{count} nodes", together(program, running[:count], plans, seconds))
    alone = result.most("1 nodes", "grades_per_second")
    rows = [figure("main job on PostgreSQL through one node, 64 writers: grades a second, best round", alone, "/s")]
    for count in range(2, NODES + 1):
        rate = result.most(f"{count} nodes", "grades_per_second")
        rows.append(ratio(
            f"… through {count} nodes with as many each", f"one node, {alone:.0f} /s", rate / alone, None))
    return rows
