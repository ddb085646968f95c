"""The server's own description of its API, and what an answer has that it does not tell."""

import copy
import json

from jsonschema import Draft202012Validator

TYPES = {bool: "boolean", int: "number", float: "number", str: "string", list: "array", dict: "object"}
OTHERS = ([], {}, True, 5, "text")


def closed(schema):
    """The schema with no more members than it names: clients ignore further ones, but here none may go untold."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    schema = {name: closed(part) for name, part in schema.items()}
    if "properties" in schema and schema.get("additionalProperties") is True:
        schema["additionalProperties"] = False
    return schema


class Description:
    """The document of a server."""

    def __init__(self, document):
        self.document = document
        self.components = closed(copy.deepcopy(document["components"]))
        self.operations = {
            (method.upper(), path): operation
            for path, operations in document["paths"].items()
            for method, operation in operations.items()
        }
        self.validators = {}
        self.judged = {}

    def untold(self, method, pattern, answer):
        """What an answer has that the description of its route does not tell; empty when it tells everything."""
        # Thousands of refusals are the same to the byte, and judging one costs as much as asking for it.
        key = method, pattern, answer.status, answer.headers.get("Content-Type"), answer.body
        if key not in self.judged:
            self.judged[key] = self.judgement(method, pattern, answer)
        return self.judged[key]

    def judgement(self, method, pattern, answer):
        operation = self.operations[method, pattern]
        response = operation["responses"].get(str(answer.status))
        if response is None:
            return [f"status {answer.status} {answer.body[:200]}"]
        kind = (answer.headers.get("Content-Type") or "").partition(";")[0]
        if not answer.body:
            return []
        if kind not in response.get("content", {}):
            return [f"{answer.status} of type {kind!r}"]
        if not kind.endswith("json"):
            return []
        has_codes = kind == "application/problem+json" and "x-codes" in response
        found = self.unknown_codes(response, answer) if has_codes else []
        schema = response["content"][kind].get("schema", {})
        return found + [
            f"{answer.status} at /{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}"
            for error in self.validator(schema).iter_errors(answer.json)
        ]

    def unknown_codes(self, response, answer):
        code = answer.json["code"]
        return [] if code in response["x-codes"] else [f"{answer.status} {code}"]

    def validator(self, schema):
        """What checks values against a schema of the document."""
        key = json.dumps(schema, sort_keys=True)
        if key not in self.validators:
            self.validators[key] = Draft202012Validator(closed(schema) | {"components": self.components})
        return self.validators[key]

    def resolved(self, schema):
        """The schema that a reference names."""
        while "$ref" in schema:
            schema = self.document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        return schema

    def json_bodies(self):
        """Each operation that takes a JSON object, with the schema of it."""
        for (method, pattern), operation in self.operations.items():
            content = operation.get("requestBody", {}).get("content", {})
            if set(content) == {"application/json"}:
                yield f"{method} {pattern}", self.resolved(content["application/json"]["schema"])

    def types(self, schema):
        """The JSON types that a schema takes; empty for any."""
        schema = self.resolved(schema)
        if "oneOf" in schema:
            return set().union(*(self.types(choice) for choice in schema["oneOf"]))
        kinds = schema.get("type", [])
        return {"number" if kind == "integer" else kind for kind in ([kinds] if isinstance(kinds, str) else kinds)}

    def misfit(self, schema):
        """A value of a type that a schema does not take; `None` when it takes any."""
        kinds = self.types(schema)
        return next((value for value in OTHERS if kinds and TYPES[type(value)] not in kinds), None)
