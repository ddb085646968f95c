"""Explanations computed again: docs/traces.md read by another program than the one that wrote them."""

import statistics
from fractions import Fraction

from .exact import band, number, rounded

FOLDS = {"sum": lambda terms: sum(terms, Fraction(0)), "least": min, "greatest": max, "median": statistics.median}


def check(standing):
    """Computes every node again from its children, and compares the figures of a standing with their nodes."""
    traces = standing["traces"]
    values = []
    for place, node in enumerate(traces["nodes"]):
        assert all(child < place for child in node.get("of", [])), (place, node)
        values.append(value(node, traces, values))
        written = None if node["value"] is None else Fraction(node["value"])
        assert values[-1] == written, (place, node, values[-1])
    explained = [(standing["figures"], traces["figures"])]
    explained += [(standing["entries"][entry]["figures"], own) for entry, own in traces["entries"].items()]
    for figures, roots in explained:
        for name, root in roots.items():
            exact = figures[name]["exact"]
            assert values[root] == (None if exact is None else Fraction(exact)), name


def value(node, traces, values):
    """The value of a node, by those of the nodes before it."""
    op, children = node["op"], [values[child] for child in node.get("of", [])]
    if not children or op == "withheld" or node["value"] is None:
        return None if node["value"] is None else Fraction(node["value"])
    if op == "mean":
        return mean([traces["nodes"][child] for child in node["of"]], values)
    if op in FOLDS or op == "mode":
        pairs = zip(node["of"], children, strict=True)
        terms = [term for child, term in pairs if is_used(traces["nodes"][child])]
        if op == "mode":
            return sorted(statistics.multimode(terms), reverse=node.get("better") != "lower")[0]
        return FOLDS[op](terms)
    if op == "curve":
        return read_off(children[0], node["points"])
    if op in ("term", "figure"):
        return children[0]
    if op == "adjust":
        return adjusted(children[0], node["adjust"])
    if op == "round":
        return rounded(children[0], node["rounding"])
    if op == "bands":
        scale = traces["scales"][node["scale"]]
        return number(band(children[0], scale["bands"], scale["rule"]).get("points", 0))
    left, right = children
    if op == "divide":
        return left / right
    return {
        "add": left + right,
        "subtract": left - right,
        "multiply": left * right,
        "min": min(left, right),
        "max": max(left, right),
    }[op]


def adjusted(grade, adjustment):
    """A recorded grade after one step of what is done to it."""
    op = adjustment["op"]
    if op == "table":
        return read_off(grade, adjustment["points"])
    by = Fraction(adjustment["value"])
    return {"add": grade + by, "scale": grade * by, "atLeast": max(grade, by), "atMost": min(grade, by)}[op]


def read_off(value, points):
    """A value off straight lines between points; beyond the first and the last their values hold."""
    points = [(Fraction(low), Fraction(high)) for low, high in points]
    upper = next((place for place, point in enumerate(points) if point[0] >= value), None)
    if upper is None or upper == 0:
        return points[-1 if upper is None else 0][1]
    (low, low_to), (high, high_to) = points[upper - 1 : upper + 1]
    return low_to + (value - low) / (high - low) * (high_to - low_to)


def mean(terms, values):
    """The weighted mean of the terms that are used."""
    pairs = [[values[child] for child in term["of"]] for term in terms if is_used(term)]
    weights = [pair[1] if len(pair) > 1 else Fraction(1) for pair in pairs]
    return sum(pair[0] * weight for pair, weight in zip(pairs, weights, strict=True)) / sum(weights)


def is_used(node):
    """Whether a node counts; `state` is only written where it does not."""
    return node.get("state", "used") == "used"
