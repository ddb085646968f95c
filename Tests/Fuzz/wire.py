"""Conversations with schemes in processes of their own, as the fuzz target for the wire reads them."""

import json
import socket
import subprocess

RULE = {"rounding": "truncate", "scale": 1, "compareOn": "displayed", "better": "lower"}
STEP = {"rounding": "halfUp", "step": "1/4"}
BANDS = [{"label": "good", "from": "5/2", "points": 1}, {"label": "bad", "from": 4}]
WORDS = {"en": "Mean", "fr": "Moyenne", "zh-Hans": "平均分"}


def lines(*values):
    """An input of the target: one text a line."""
    return "\n".join(json.dumps(value, ensure_ascii=False, separators=(",", ":")) for value in values).encode()


def spoken(program):
    """What a program says of one small record."""
    ours, theirs = socket.socketpair()
    # The wire is descriptor 3; the shell puts it there.
    command = ["sh", "-c", f"exec 3<&{theirs.fileno()}; exec {program}"]
    process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
    theirs.close()
    ours.settimeout(60)
    record = {"fields": {}, "entries": [{"id": "e1", "kind": "task", "fields": {"title": "read", "done": True}}]}
    requests = [
        {"op": "describe", "wire": 1, "newest": 2, "kit": "0"},
        {"op": "configure", "preset": None, "configuration": None},
        {"op": "validate", "configuration": {}, "records": [record]},
        {"op": "evaluate", "configuration": {}, "records": [record]},
    ]
    with ours.makefile("rwb") as stream:
        answers = [ask(stream, request) for request in requests]
    ours.close()
    process.wait(60)
    return lines(*answers[:2], record, *answers[2:], {})


def ask(stream, request):
    """Sends one frame and reads one."""
    text = json.dumps(request).encode()
    stream.write(len(text).to_bytes(4, "big") + text)
    stream.flush()
    return json.loads(stream.read(int.from_bytes(stream.read(4), "big")))


def trace(op, value, *children, **more):
    """A node of an explanation."""
    return {"op": op, "value": value, "state": "used", **more} | ({"children": list(children)} if children else {})


def everything(version=1):
    """A scheme that uses every part of a version of the wire, about a record of two modules."""
    module = {
        "kind": "module", "parent": None, "label": "Module", "min": 0, "max": 9, "excessFault": "module_limit",
        "statuses": ["excused", "absent"],
        "fields": [
            {"name": "title", "type": "text", "label": "Title", "maxLength": 40, "default": "A"},
            {"name": "credits", "type": "number", "label": "Credits", "min": 0, "exclusiveMin": True, "default": 5},
            {"name": "year", "type": "integer", "label": "Year", "required": False, "rangeFault": "no_year"},
            {"name": "minor", "type": "boolean", "label": "Minor", "required": False},
            {"name": "term", "type": "choice", "label": "Term", "required": False,
             "choices": [{"value": 1, "label": "I"}, {"value": 2, "label": "II"}]},
            {"name": "grade", "type": "number", "label": "Grade", "required": False, "decimalComma": True,
             "min": 1, "max": 5, "grade": True, "best": 1, "worst": 5, "step": "1/10"},
        ],
    }  # fmt: skip
    part = {
        "kind": "part", "parent": "module", "label": "Part", "fields": [
            {"name": "points", "type": "number", "label": "Points", "maxField": "most",
             "grade": True, "bestField": "most"},
            {"name": "most", "type": "number", "label": "Most"},
        ],
    }  # fmt: skip
    shape = {"fields": [{"name": "note", "type": "text", "label": "Note", "required": False}], "kinds": [module, part]}
    figures = [
        {"name": "result", "kind": "module", "label": WORDS, "rule": RULE, "letters": {"rule": RULE, "bands": BANDS}},
        {"name": "mean", "kind": None, "label": WORDS, "rule": RULE},
        {"name": "year", "kind": None, "label": "Year", "rule": {"rounding": "halfEven", "step": "1/4"},
         "family": True, "range": False, "short": True},
    ]  # fmt: skip
    outcomes = [
        {"name": "passed", "kind": "module", "label": "Passed"},
        {"name": "degree", "kind": None, "label": "Degree"},
    ]
    scheme = {
        "id": "all", "title": WORDS, "description": "All.", "shape": shape, "figures": figures, "outcomes": outcomes,
        "messages": {"above": {"en": "Above {bound}"}}, "templates": [],
        "configuration": {"schema": {}, "defaults": {"pass": 4}, "presets": {"default": {}}},
    }  # fmt: skip
    entries = [
        {"id": "e1", "kind": "module", "fields": {"title": "A", "credits": 5, "grade": 2, "term": 1}},
        {"id": "e2", "kind": "module", "status": "absent", "fields": {"title": "B", "credits": 5},
         "children": [{"id": "e3", "kind": "part", "fields": {"points": 1, "most": 2}}]},
    ]  # fmt: skip
    configured = {
        "configuration": {"pass": 4}, "warnings": [{"code": "odd", "path": "/configuration/pass", "args": {"a": [1]}}],
        "shape": shape, "figures": figures, "outcomes": outcomes,
        "templates": [{"name": "sample", "label": WORDS, "entries": entries}],
    }  # fmt: skip
    return lines(
        {"wire": version, "kit": "0.1.0", "goals": True, "scheme": scheme}, configured, {"fields": {}, "entries": entries},
        {"results": [[]]}, {"results": [standing() if version == 1 else shared(standing())]}, goal(),
    )  # fmt: skip


def standing():
    """What the scheme of everything makes of its record."""
    two, five = trace("input", "2", entry="e1", field="grade"), trace("constant", "5")
    terms = [trace("term", "2", two, five, entry="e1"), trace("term", "5", five, five, entry="e2", state="skipped")]
    mean = trace("figure", "2", trace("mean", "2", *terms), figure="mean")
    sums = trace("sum", "9/4", trace("divide", "9/4", trace("constant", "9"), trace("constant", "4")))
    year = trace("round", "9/4", sums, rounding=STEP)
    points = trace("bands", "1", two, rule=RULE, bands=BANDS)
    passed = {"state": "met", "final": True}
    result = {"exact": "2", "floor": "2", "ceiling": "2", "band": "green", "text": WORDS}
    entry = {"figures": {"result": {"exact": None, "reason": "no_grades"}}, "outcomes": {"passed": passed}}
    return {
        "figures": {
            "mean": {"exact": "2", "floor": "9/2", "ceiling": "3/2", "trace": mean},
            "year:1": {"exact": "9/4", "trace": year},
            "year:2": {"exact": "1", "trace": points},
        },
        "entries": {"e1": {"figures": {"result": result}, "outcomes": {"passed": passed}}, "e2": entry, "e3": {}},
        "outcomes": {
            "degree": {"state": "pending", "reasons": [{"code": "above", "entry": "e2", "args": {"bound": 4}}]}
        },
        "warnings": [{"code": "odd", "entry": "e1", "args": {"a": "b"}}],
    }


def shared(answer):
    """The same with explanations that share their nodes, as version 2 has them."""
    nodes, scales = [], []

    def number(tree):
        node = {name: part for name, part in tree.items() if name not in ("children", "rule", "bands")}
        node["of"] = [number(child) for child in tree.get("children", [])]
        if tree["op"] == "bands":
            node["scale"] = len(scales)
            scales.append({"rule": tree["rule"], "bands": tree["bands"]})
        nodes.append(node)
        return len(nodes) - 1

    for figure in answer["figures"].values():
        figure["trace"] = number(figure["trace"])
    return answer | {"nodes": nodes, "scales": scales}


def goal():
    """Its answer to a goal."""
    reached = {"exact": "2", "band": "green"}
    inputs = [{"entry": "e2", "field": "grade", "value": "21/10"}]
    return {"status": "reachable", "inputs": inputs, "reached": reached, "ceiling": reached, "buffer": "1/2"}
