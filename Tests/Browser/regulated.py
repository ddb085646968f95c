"""Documents of the library as programs of the demonstration, and records of their worked examples."""

import board


def text_of(person, name):
    """A document of the library."""
    return person.api("GET", f"/v1/regulations/library/{name}")["body"]["document"]


def published(registrar, name):
    """The identifier of a published program of a document."""
    body = {
        "scheme": "regulations",
        "title": name,
        "entry": "both",
        "configuration": {"document": text_of(registrar, name)},
    }
    program = registrar.api("POST", "/v1/institutions/demo/programs", body)["body"]["program"]["id"]
    board.publish(registrar, f"/v1/programs/{program}")
    return program


def record_of_example(student, registrar, name, example, program=None):
    """The address of a student's record with the entries of a worked example."""
    asked = {"document": text_of(registrar, name), "laws": False, "record": {"example": example}}
    entries = registrar.api("POST", "/v1/regulations/check", asked)["body"]["record"]["entries"]
    program = program or published(registrar, name)
    record = student.api("POST", "/v1/records", {"program": program})["body"]["record"]["id"]
    steps = [{"op": "add", **entry} for entry in entries]
    answer = student.api("POST", f"/v1/records/{record}/changes", {"changes": steps})
    assert answer["status"] == 200, answer
    return f"/records/{record}"
