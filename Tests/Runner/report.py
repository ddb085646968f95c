"""What a run came to: times against budgets, what failed, and what was unsteady."""

import contextlib
import json
import pathlib
import time

from outcome import Outcome

SLOWEST = 20
# A change that breaks more than this is not run again: chance does not look like that.
MOST_UNSTEADY = 20


class Run:
    """The parts of one run, as they end."""

    def __init__(self):
        self.times: dict[str, tuple[float, int | None]] = {}
        self.outcomes: dict[str, Outcome] = {}
        # Tests that failed and then passed, with what the first failure printed.
        self.unsteady: dict[str, str] = {}

    @contextlib.contextmanager
    def timed(self, name: str, budget: int | None):
        begun = time.monotonic()
        yield
        self.times[name] = (time.monotonic() - begun, budget)

    def add(self, part: str, outcome: Outcome):
        self.outcomes[part] = outcome

    def repeat(self, part: str, first: Outcome, again: Outcome):
        """Takes what passed the second time off what failed."""
        first.broken += again.broken
        for name in list(first.failed):
            if name in again.seconds and name not in again.failed and name not in again.skipped:
                self.unsteady[name] = first.failed.pop(name)

    @property
    def is_green(self) -> bool:
        return all(
            outcome.passed > 0 and not outcome.failed and not outcome.broken for outcome in self.outcomes.values()
        )

    def write(self, build: pathlib.Path):
        """Prints the run and leaves `test-times.json` and `unsteady.txt`."""
        for part, outcome in self.outcomes.items():
            slowest = sorted(outcome.seconds.items(), key=lambda item: -item[1])[:SLOWEST]
            print(f"\nThe slowest tests, {part}:")
            for name, seconds in slowest:
                print(f"{seconds:8.1f} s  {name}")
            if outcome.unexplained:
                print(f"\nSlow without a reason (`@pytest.mark.slow`), {part}:")
                for name, seconds in sorted(outcome.unexplained.items(), key=lambda item: -item[1]):
                    print(f"{seconds:8.1f} s  {name}")
        print()
        for name, (seconds, budget) in self.times.items():
            over = "" if budget is None or seconds <= budget else f"  over its budget of {minutes(budget)}"
            print(f"{minutes(seconds):>6}  {name}{over}")
        self.tell_failures()
        listed = [f"{name}\n{output}" for name, output in self.unsteady.items()]
        (build / "unsteady.txt").write_text("\n".join(listed))
        if self.unsteady:
            print("\nunsteady: failed, then passed alone (build/unsteady.txt has the first failure)")
            print("\n".join(f"  {name}" for name in self.unsteady))
        times = {
            "parts": {
                name: {"seconds": round(took, 1), "budget": budget} for name, (took, budget) in self.times.items()
            },
            "tests": {
                part: {name: round(took, 3) for name, took in outcome.seconds.items()}
                for part, outcome in self.outcomes.items()
            },
        }
        (build / "test-times.json").write_text(json.dumps(times, indent=1, ensure_ascii=False))
        counts = [sum(getter(each) for each in self.outcomes.values()) for getter in (passed, failed, skipped)]
        print("\n{} passed, {} failed, {} skipped".format(*counts))

    def tell_failures(self):
        for part, outcome in self.outcomes.items():
            for text in outcome.broken:
                print(f"\n{part} could not be run to its end:\n{text}")
            if outcome.failed:
                print(f"\nfailed, {part}:")
                for name, output in outcome.failed.items():
                    print(f"\n-- {name}\n{output}")
            if outcome.passed == 0 and not outcome.broken:
                print(f"\n{part}: no test passed")


def minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def passed(outcome: Outcome) -> int:
    return outcome.passed


def failed(outcome: Outcome) -> int:
    return len(outcome.failed) + len(outcome.broken)


def skipped(outcome: Outcome) -> int:
    return len(outcome.skipped)
