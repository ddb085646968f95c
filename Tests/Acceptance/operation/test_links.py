"""`gradecast doctor` computes again what rows of classes make of records."""

import json

import pytest
from classroom import CONFIG, Room

import gradecast
from client import changed
from stored import stored


@pytest.mark.slow("runs the doctor three times over a store that was changed in between")
def test_an_entry_that_does_not_say_what_its_row_comes_to_is_named(tmp_path):
    server = gradecast.Server(tmp_path, config=CONFIG).start()
    room = Room(server)
    for line, value in ((3, 70), (4, 8), (5, 5)):
        assert room.enter(line, value=value).status == 200
    # A row without results says nothing wrong, nor does that of a student who has left.
    left = Room(server)
    assert left.enter(3, value=70.5).status == 200
    changed(left.teacher.delete(f"{left.path}/enrolments/{left.row}?keep=true"))
    Room(server)
    assert server.stop() == 0
    options = ("--data", server.data)
    found = gradecast.run("doctor", *options, "--json")
    assert found.returncode == 0 and json.loads(found.stdout)["faults"] == []

    with stored(server) as store:
        planted = store.execute(
            "UPDATE class_rows SET cells = replace(cells, '70', '71') WHERE cells LIKE '%70%' AND cells NOT LIKE '%70.5%'"
        )
        assert planted.rowcount == 1
    found = gradecast.run("doctor", *options, "--json")
    assert found.returncode == 1
    [fault] = json.loads(found.stdout)["faults"]
    assert fault.startswith(f"record {room.record}, entry {room.entry}: ") and room.row in fault
    assert "Not sound." in gradecast.run("doctor", *options).stdout
