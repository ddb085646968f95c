"""The table that is printed and kept."""

import dataclasses
import datetime
import os
import pathlib


@dataclasses.dataclass
class Row:
    """One figure, and what it is held against."""

    what: str
    against: str
    measured: str
    target: str = ""
    reached: bool | None = None


def ratio(what, against, measured, limit, is_most=True):
    """A row for a ratio that is to be at most (or at least) `limit`, if there is one."""
    if limit is None:
        return Row(what, against, f"{measured:.2f}", "", None)
    reached = measured <= limit if is_most else measured >= limit
    return Row(what, against, f"{measured:.2f}", f"{'≤' if is_most else '≥'} {limit:g}", reached)


def figure(what, measured, unit, limit=None, against=""):
    """A row for a figure with a unit, that is to be at most `limit`."""
    target = "" if limit is None else f"≤ {limit:g} {unit}"
    return Row(what, against, f"{measured:.4g} {unit}", target, None if limit is None else measured <= limit)


def machine():
    """The machine's shape in a line."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.partition(": ")[2] for line in lines if line.startswith("model name")), "unknown processor")
    is_virtual = any(line.startswith("flags") and " hypervisor" in line for line in lines)
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    kernel = os.uname().release
    return (
        f"{os.cpu_count()} cores of {model}{', virtual machine' if is_virtual else ''}, {pages / 2**30:.0f} GiB,"
        f" Linux {kernel}"
    )


def text(rows, options):
    """The whole page."""
    load = os.getloadavg()[2]
    lines = [
        "# Results",
        "",
        f"{datetime.date.today().isoformat()} · {machine()} · {options.rounds} interleaved rounds of"
        f" {options.seconds:g} s · load average of the last quarter of an hour {load:.1f}",
        "",
        "Processor time is the server's, user and system, a piece of work; of several rounds the least counts, and"
        " ratios are of such minima. See [README.md](README.md) for what each row proves and what it does not.",
        "",
        "| What | Against | Measured | Target | |",
        "|---|---|---|---|---|",
    ]
    for row in rows:
        mark = "" if row.reached is None else "reached" if row.reached else "**missed**"
        lines.append(f"| {row.what} | {row.against} | {row.measured} | {row.target} | {mark} |")
    return "\n".join(lines) + "\n"
