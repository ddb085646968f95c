"""The engines with next to nothing above them, against a loop of plain C, nginx with nchan, Go, and NATS."""

import contextlib

from harness import build, load, servers
from harness.table import figure, ratio

OWN = "gradecast's engine"
SENDS = "gradecast's engine, send()"
LOOP = "the C loop"
NCHAN = "nginx and nchan"
GO = "Go"
NATS = "NATS"


def client():
    return build.c("load-messages", "load/common.c", "load/messages.c")


def floor():
    binary = build.c("floor-loop", "load/common.c", "floor/loop.c", libraries=["crypto"])
    return servers.Server(LOOP, lambda port, folder: [binary, port])


def engine(name, *options):
    binary = build.swift("EngineBenchmark")
    return servers.Server(name, lambda port, folder: [binary, port, *options])


def nchan():
    build.debian("nginx-light", "libnginx-mod-nchan")
    template = (build.HERE / "peers" / "nginx.conf").read_text()

    def command(port, folder):
        (folder / "nginx.conf").write_text(template.replace("PORT", str(port)))
        return ["/usr/sbin/nginx", "-p", folder, "-c", folder / "nginx.conf"]

    return servers.Server(NCHAN, command)


def go():
    binary = build.go("messages")
    return servers.Server(GO, lambda port, folder: [binary, "-port", port])


def nats():
    build.debian("nats-server")
    template = (build.HERE / "peers" / "nats.conf").read_text()
    publish = str(servers.free_port())

    def command(port, folder):
        (folder / "nats.conf").write_text(template.replace("PORT", str(port)).replace("PUBLISH", publish))
        return ["/usr/sbin/nats-server", "-c", folder / "nats.conf"]

    return servers.Server(NATS, command, load=["-N", publish])


def measure(rounds, peers, *options):
    """Every engine that can be had here, in turn, `rounds` times."""
    result, program = load.Rounds(), client()
    with contextlib.ExitStack() as stack:
        running = [stack.enter_context(server) for server in (engine(OWN), engine(SENDS, "send"), floor())]
        for make in peers:
            try:
                running.append(stack.enter_context(make()))
            except build.Missing as reason:
                print(f"  {make.__name__} is left out: {reason}")
        for number in range(rounds):
            # Each round begins with another one, since a loaded machine favours nobody for long.
            for server in running[number % len(running):] + running[:number % len(running)]:
                result.note(server.name, load.run(program, server, *options))
    return result


def rows(what, result, limits):
    """A row for what it costs us and one for each comparison."""
    own = result.least(OWN, "cpu_us")
    made = [figure(what, own, "µs")]
    for name, limit in limits.items():
        if name in result.figures:
            other = result.least(name, "cpu_us")
            made.append(ratio("…", f"{name}, {other:.2f} µs", own / other, limit))
    return made


def without_batches(result, limit):
    """The row for the same engine where the kernel offers no io_uring."""
    own, loop = result.least(SENDS, "cpu_us"), result.least(LOOP, "cpu_us")
    return [ratio("… with send() alone", f"{LOOP}, {loop:.2f} µs", own / loop, limit)]


def topics_part(rounds, seconds):
    result = measure(rounds, (nchan, go, nats), "-n", 10_000, "-t", 10_000, "-k", 16, "-s", seconds)
    made = rows(
        "10,000 topics of one subscriber, a POST for each message, 16 publishers: server CPU a delivery", result,
        {LOOP: 1.0, NCHAN: 0.65, GO: 0.45, NATS: None},
    )
    return made + without_batches(result, 1.20)


def requests_part(rounds, seconds):
    result = measure(rounds, (nchan, go), "-g", "/json", "-k", 32, "-s", seconds)
    return rows("GET of a small document, 32 connections: server CPU", result, {LOOP: 1.2, NCHAN: 1.0, GO: 0.5})


def fanout_part(rounds, seconds):
    result = measure(rounds, (nchan, go, nats), "-n", 1000, "-t", 1, "-s", seconds)
    made = rows(
        "one message to 1,000 subscribers, 200 bytes: server CPU a delivery", result,
        {LOOP: 1.05, NCHAN: 0.75, GO: 0.60, NATS: 0.45},
    )
    made += without_batches(result, 1.10)
    for name in result.figures:
        # Of the first round, before there was memory to use again.
        size = result.figures[name][0]["bytes_per_subscriber"] / 1024
        made.append(figure("memory of an idle WebSocket, without session", size, "kB", against=name))
    return made
