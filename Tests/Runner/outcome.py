"""What one part of a run came to."""

from dataclasses import dataclass, field


@dataclass
class Outcome:
    """The tests of a part, by their names: how long each took, and what those printed that failed."""

    seconds: dict[str, float] = field(default_factory=dict)
    # Those that took longer than a test of their part may without a reason, which they do not give.
    unexplained: dict[str, float] = field(default_factory=dict)
    skipped: set[str] = field(default_factory=set)
    failed: dict[str, str] = field(default_factory=dict)
    # What kept tests from being run at all, such as a trap or a file that does not load.
    broken: list[str] = field(default_factory=list)

    @property
    def passed(self) -> int:
        return len(self.seconds) - len(self.failed) - len(self.skipped)
