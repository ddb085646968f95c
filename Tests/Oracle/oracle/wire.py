"""JSON whose numbers keep their text: `Decimal` in, the same digits out."""

import json
from decimal import Decimal


def loads(text):
    """Reads JSON; a number with a fraction or an exponent becomes a `Decimal`, which remembers how it was written."""
    return json.loads(text, parse_float=Decimal)


def dumps(value):
    """Writes JSON; a `Decimal` is written as the number it was made from."""
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(k)}:{dumps(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(dumps(v) for v in value) + "]"
    return json.dumps(value, ensure_ascii=False)
