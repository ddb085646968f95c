"""The main job over PostgreSQL: against the same statements from plain C, and the same job in Go and in Python."""

import contextlib

from harness import build, load, people, servers
from harness.main_job import WRITERS, client, same_work
from harness.postgres import Cluster
from harness.table import figure, ratio

STATEMENTS = "the same statements in groups from C"
# Of the record that was made last, which is like those of the writers. Those of the demonstration are much smaller.
DOCUMENTS = {
    "tree": "SELECT tree FROM records ORDER BY created_at DESC LIMIT 1",
    "standing": "SELECT standing FROM records ORDER BY created_at DESC LIMIT 1",
    "figures": "SELECT figures FROM changes ORDER BY seq DESC LIMIT 1",
}


def floor():
    return build.c(
        "floor-commit-postgres", "load/common.c", "floor/commit_postgres.c", libraries=["pq"],
        headers=["/usr/include/postgresql"],
    )


def migrated(cluster, binary, name):
    """A database with the server's tables."""
    url = cluster.database(name)
    build.run(binary, "migrate", env={"PATH": "/usr/bin:/bin", "GRADECAST_STORE": url}, cwd=cluster.folder)
    return url


def contenders(cluster, binary):
    """What can be built here, each with the name of its database."""
    made = {"gradecast": ("ours", servers.gradecast_on(binary, migrated(cluster, binary, "ours")))}
    for name, builder, server, place in [
        ("Go", lambda: build.go("grades", "postgres"), servers.go_on, cluster.words),
        ("Python", build.python, servers.python_on, cluster.url),
    ]:
        try:
            program, database = builder(), name.lower()
            cluster.database(database)
            made[name] = (database, server(program, place(database)))
        except build.Missing as reason:
            print(f"  {name} is left out: {reason}")
    return made


def counted(cluster, database, measure):
    """The figures of a round, with what the database did for each grade beside them."""
    before, cpu = cluster.counts(database), cluster.cpu()
    figures = measure()
    cpu, after = cluster.cpu() - cpu, cluster.counts(database)
    grades = figures["grades"]
    return figures | {
        "database_cpu_us": cpu * 1e6 / grades,
        "statements": (after["statements"] - before["statements"]) / grades,
        "log_bytes": (after["log"] - before["log"]) / grades,
    }


def measure(rounds, seconds):
    """All contenders in turn, `rounds` times, and the same statements from plain C."""
    result, program, plain, binary = load.Rounds(), client(), floor(), build.swift("gradecast")
    with contextlib.ExitStack() as stack:
        cluster = stack.enter_context(Cluster())
        running = {name: (database, stack.enter_context(server))
                   for name, (database, server) in contenders(cluster, binary).items()}
        same_work([server for _, server in running.values()])
        url = migrated(cluster, binary, "plain")
        documents = []
        for name, query in DOCUMENTS.items():
            documents.append(cluster.folder / name)
            documents[-1].write_text(cluster.sql(query, "ours"))
        plans = {name: people.plan(server, WRITERS) for name, (_, server) in running.items()}
        for _ in range(rounds):
            for name, (database, server) in running.items():
                result.note(name, counted(
                    cluster, database, lambda: load.run(program, server, "-f", plans[name], "-s", seconds)))
            result.note(STATEMENTS, counted(
                cluster, "plain", lambda: load.figures(build.run(plain, url, seconds, WRITERS, *documents))))
    return result


def database_part(rounds, seconds):
    result = measure(rounds, seconds)

    def least(name, figure):
        return result.least(name, figure)

    cpu, rate = least("gradecast", "cpu_us"), result.most("gradecast", "grades_per_second")
    plain = result.most(STATEMENTS, "grades_per_second")
    rows = [
        figure("main job on PostgreSQL, 64 writers: server CPU a grade", cpu, "µs"),
        figure("… CPU of the database a grade", least("gradecast", "database_cpu_us"), "µs"),
        figure("… statements a grade", least("gradecast", "statements"), ""),
        figure("… bytes of the database's log a grade", least("gradecast", "log_bytes"), "B"),
        figure("… grades a second, best round", rate, "/s"),
        ratio("… grades a second", f"{STATEMENTS}, {plain:.0f} /s", rate / plain, 0.7, is_most=False),
        ratio(
            "… CPU of the database a grade", f"{STATEMENTS}, {least(STATEMENTS, 'database_cpu_us'):.0f} µs",
            least("gradecast", "database_cpu_us") / least(STATEMENTS, "database_cpu_us"), None),
        ratio(
            "… bytes of the log a grade", f"{STATEMENTS}, {least(STATEMENTS, 'log_bytes'):.0f} B",
            least("gradecast", "log_bytes") / least(STATEMENTS, "log_bytes"), None),
    ]
    for name, word, limit in (("Go", "Go with pgx", 1.5), ("Python", "Python with asyncpg", 4)):
        if name not in result.figures:
            continue
        other = result.most(name, "grades_per_second")
        rows += [
            ratio("… grades a second", f"{word}, {other:.0f} /s", rate / other, limit, is_most=False),
            ratio("… server CPU a grade", f"{word}, {least(name, 'cpu_us'):.0f} µs", cpu / least(name, "cpu_us"), None),
            ratio(
                "… CPU of the database a grade", f"{word}, {least(name, 'database_cpu_us'):.0f} µs",
                least("gradecast", "database_cpu_us") / least(name, "database_cpu_us"), None),
        ]
    return rows
