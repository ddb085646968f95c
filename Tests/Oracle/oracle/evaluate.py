"""A request for `POST /v1/evaluate` to the standing, or the faults, that the rules give it."""

from . import chalkboard, iut, rose_hulman
from .shape import Faults, check_fields, check_tree, count

SCHEMES = {"chalkboard": chalkboard, "rose-hulman": rose_hulman, "iut": iut}
ENTRY_LIMIT = 1000


def configuration(scheme, request):
    """Defaults, overridden by the preset, overridden by the configuration's own keys."""
    preset = request.get("preset")
    return scheme.DEFAULTS | (scheme.PRESETS[preset] if preset else {}) | (request.get("configuration") or {})


def evaluate(request):
    """`{"standing": …}` or `{"faults": [{"code", "path"}]}`."""
    scheme = SCHEMES[request["scheme"]]
    config = configuration(scheme, request)
    faults = Faults()
    fields, bad = check_fields(request.get("fields") or {}, scheme.RECORD, "/fields", faults)
    nodes = check_tree(request.get("entries") or [], scheme, None, "/entries", faults)
    if count(nodes) > ENTRY_LIMIT:
        faults.add("entry_limit", "/entries")
    scheme.check(nodes, fields | {"bad": bad}, config, faults)
    if faults.found:
        return {"faults": faults.sorted()}
    return {"standing": scheme.standing(nodes, fields, config)}
