"""A plugin of pytest: writes what became of each test, how long it took and what it printed when it failed.

The controller alone writes; workers send it their reports.
"""

import json
import pathlib

PHASES = ("setup", "call", "teardown")


def pytest_addoption(parser):
    parser.addoption("--record", metavar="FILE", help="write every test's outcome and seconds to a file of JSON")


def pytest_configure(config):
    path = config.getoption("--record")
    if path and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(pathlib.Path(path)))


def pytest_collection_modifyitems(items):
    """Gives each test's reason to be slow to its reports, which come from the workers."""
    for item in items:
        if marker := item.get_closest_marker("slow"):
            item.user_properties.append(("slow", marker.args[0]))


class Recorder:
    """Collects reports until the session ends."""

    def __init__(self, path: pathlib.Path):
        self.path = path
        self.tests: dict[str, dict] = {}
        self.broken: list[str] = []

    def pytest_collectreport(self, report):
        if report.failed:
            self.broken.append(report.longreprtext)

    def pytest_runtest_logreport(self, report):
        test = self.tests.setdefault(report.nodeid, {"outcome": "passed", "output": ""} | dict.fromkeys(PHASES, 0.0))
        # A worker that ends in the middle of a test is no phase of it.
        test[report.when if report.when in PHASES else "call"] = report.duration
        test |= {name: reason for name, reason in report.user_properties if name == "slow"}
        if report.failed:
            test["outcome"] = "failed"
            parts = [report.longreprtext, *(f"-- {title}\n{text}" for title, text in report.sections)]
            test["output"] += "\n".join(parts) + "\n"
        elif report.skipped and test["outcome"] == "passed":
            test["outcome"] = "skipped"

    def pytest_sessionfinish(self):
        self.path.write_text(json.dumps({"tests": self.tests, "broken": self.broken}))
