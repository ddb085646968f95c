"""Runs the load clients and keeps what they say, round after round."""

import contextlib
import statistics
import subprocess
import threading


def run(client, server, *options):
    """One run of a load client against a server; its figures by name."""
    command = [client, "-p", server.port, "-i", server.pids, *server.load, *options]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise RuntimeError(f"{server.name}: {done.stderr[-1500:]}\n{server.log()}")
    return figures(done.stdout)


def figures(text):
    """`name=value` pairs as a dictionary."""
    return {name: float(value) for name, value in (pair.split("=") for pair in text.split())}


@contextlib.contextmanager
def beside(work, threads=1):
    """So many threads, each with its number, do `work(over, number)` while the block runs; `over` is set at its end."""
    over = threading.Event()
    workers = [threading.Thread(target=work, args=(over, number)) for number in range(threads)]
    for worker in workers:
        worker.start()
    try:
        yield
    finally:
        over.set()
        for worker in workers:
            worker.join()


def alone_and_beside(client, server, options, rounds, **others):
    """What writers say alone and beside what each of `others` does when it is called, in turn, once they have warmed up."""
    result = Rounds()
    run(client, server, *options)
    for _ in range(rounds):
        result.note("writers alone", run(client, server, *options))
        for name, other in others.items():
            with other():
                result.note(f"writers beside {name}", run(client, server, *options))
    return result


class Rounds:
    """Figures of several contenders, measured in turn so that the machine's moods meet all of them."""

    def __init__(self):
        self.figures = {}

    def note(self, contender, figures):
        """Adds a round."""
        self.figures.setdefault(contender, []).append(figures)
        words = "  ".join(f"{name} {value:g}" for name, value in figures.items())
        print(f"  {contender:24} {words}", flush=True)

    def least(self, contender, name):
        """The minimum over the rounds: what the work costs when nothing disturbs it."""
        return min(figures[name] for figures in self.figures[contender])

    def most(self, contender, name):
        """The maximum over the rounds."""
        return max(figures[name] for figures in self.figures[contender])

    def median(self, contender, name):
        """The median over the rounds."""
        return statistics.median(figures[name] for figures in self.figures[contender])
