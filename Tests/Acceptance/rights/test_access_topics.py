"""Who may follow which live topic, by the table of access."""

import contextlib

import pytest
from access_table import HOLDERS, TOPIC_SCOPES, TOPICS, by_column, follow, stream, topic
from websockets.exceptions import ConnectionClosed

from access import COLUMNS
from live import Events, Live


@pytest.mark.parametrize("name", TOPICS)
def test_a_session_that_is_not_finished_follows_no_topic(world, unfinished, name):
    for column in unfinished:
        assert follow(world, column, topic(world, name))[0] == "-"
        events = Events(world.server, world.people[column].token, topic(world, name))
        events.close()
        assert events.status == 403


@pytest.mark.parametrize("name", TOPICS)
def test_a_service_account_follows_what_its_role_may_read(world, services, name):
    for role, caller in services.items():
        expected = "-" if name.startswith(("feed", "shared", "accounts")) else by_column(TOPICS[name])[role]
        if role == "teacher" and name.startswith(("class", "grid")):
            expected = "-"  # it is not of the class's staff
        with contextlib.closing(Live(world.server, caller.token)) as connection:
            answer = connection.subscribe(topic(world, name))
        assert (answer["t"] in ("state", "rows")) == (expected == "+"), (role, answer)


@pytest.mark.parametrize("name", TOPICS)
def test_a_topic_is_followed_by_those_who_may_read_it(world, name):
    expected = by_column(TOPICS[name])
    wanted = topic(world, name)
    assert {column: follow(world, column, wanted)[0] for column in COLUMNS} == expected
    assert {column: stream(world, column, wanted) for column in COLUMNS} == expected


@pytest.mark.parametrize("name", TOPICS)
def test_a_topic_is_followed_with_the_scope_for_it_alone(world, name):
    wanted = TOPIC_SCOPES.get(name.split("/")[0], "records:read")
    for column in HOLDERS:
        for scope in ("records:read", "programs:read", "classes:read", "profile:read", "records:write"):
            token = world.token(column, scope).token
            allowed = by_column(TOPICS[name])[column] == "+" and scope == wanted
            with contextlib.closing(Live(world.server, token)) as connection:
                answer = connection.subscribe(topic(world, name))
            assert (answer["t"] in ("state", "rows")) == allowed, (column, scope, answer)
            events = Events(world.server, token, topic(world, name))
            events.close()
            assert events.status == (200 if allowed else 404 if scope == wanted else 403), (column, scope)


@pytest.mark.parametrize("name", ["ended", "expired"])
def test_a_token_that_ended_or_expired_opens_no_connection(world, name):
    with pytest.raises(ConnectionClosed) as end:
        Live(world.server, getattr(world, f"{name}_token").token)
    assert end.value.rcvd.code == 4501


@pytest.mark.parametrize("name", [name for name in TOPICS if "{" in name])
def test_a_topic_one_may_not_know_answers_as_one_that_is_not_there(world, name):
    for column, verdict in by_column(TOPICS[name]).items():
        if verdict == "-":
            found, missing = topic(world, name), topic(world, name, missing=True)
            assert follow(world, column, found) == follow(world, column, missing), column
