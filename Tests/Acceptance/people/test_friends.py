"""Follow, accept, remove, block: what a friend sees, and that it ends at once."""

import pytest

from access import picture
from client import changed, next_page


def person(api):
    return api.account["id"]


def following(api, other, method="PUT", body=None):
    return api.call(method, f"/v1/accounts/{person(other)}/following", body)


def accept(api, other):
    return changed(api.call("PUT", f"/v1/accounts/me/followers/{person(other)}"), 204)


def block(api, other, method="PUT"):
    return api.call(method, f"/v1/accounts/me/blocks/{person(other)}")


def homepage(api, other):
    return api.get(f"/v1/people/{person(other)}")


def names(api, kind):
    return [item["person"]["id"] for item in changed(api.get(f"/v1/accounts/me/{kind}")).json["items"]]


def befriend(one, other):
    for api in (one, other):
        changed(api.patch("/v1/accounts/me", {"discoverable": True}))
    for api, to in ((one, other), (other, one)):
        changed(following(api, to), 201)
        accept(to, api)


def befriended(one, other):
    """The other, as a friend."""
    befriend(one, other)
    return other


def share(record, *audiences):
    changed(record.api.call("PUT", record.path + "/sharing", {"what": "headline", "with": list(audiences)}))


def told(answer):
    return answer.status, answer.body


def test_people_who_did_not_choose_to_be_found_are_as_if_they_were_not_there(server, student, stranger):
    ghost = server.api()
    ghost.account = {"id": "0d9f2f9e-8f5c-4d7e-9a51-6a1d4a1f7c11"}
    for ask in (
        homepage,
        following,
        lambda api, other: following(api, other, "GET"),
        lambda api, other: following(api, other, "DELETE"),
    ):
        assert told(ask(stranger, student)) == told(ask(stranger, ghost))
        assert ask(stranger, student).status == 404
    changed(student.patch("/v1/accounts/me", {"discoverable": True}))
    card = changed(homepage(stranger, student)).json["person"]
    assert set(card) == {"id", "displayName", "description", "avatarHue", "avatar"}
    assert homepage(server.api(), student).status == 401


def test_anybody_can_be_blocked_and_nothing_is_learnt_by_it(server, student, stranger):
    ghost = server.api()
    ghost.account = {"id": "0d9f2f9e-8f5c-4d7e-9a51-6a1d4a1f7c11"}
    for method in ("PUT", "DELETE", "PUT"):
        for other in (student, ghost):
            assert told(block(stranger, other, method)) == (204, b"")
    [blocked] = changed(stranger.get("/v1/accounts/me/blocks")).json["items"]
    assert blocked["person"] == {"id": person(student)}
    changed(stranger.patch("/v1/accounts/me", {"discoverable": True}))
    assert following(student, stranger).status == 404
    assert block(stranger, stranger).status == 404


def test_one_who_took_a_request_back_can_still_be_blocked(student, stranger):
    changed(student.patch("/v1/accounts/me", {"discoverable": True}))
    changed(following(stranger, student), 201)
    changed(following(stranger, student, "DELETE"), 204)
    assert homepage(student, stranger).status == 404
    changed(block(student, stranger), 204)
    assert following(stranger, student).status == 404


def test_a_picture_is_seen_by_those_who_see_the_person(student, stranger):
    path = f"/v1/accounts/{person(student)}/avatar"
    changed(student.call("PUT", path, picture(), content_type="image/png"), 204)
    assert stranger.get(path).status == 404
    changed(student.patch("/v1/accounts/me", {"discoverable": True}))
    assert stranger.get(path).body == picture()
    changed(block(student, befriended(student, stranger)), 204)
    assert stranger.get(path).status == 404


def test_a_request_waits_for_its_acceptance(student, stranger):
    changed(student.patch("/v1/accounts/me", {"discoverable": True}))
    assert changed(following(stranger, student), 201).json == {"state": "requested"}
    assert changed(following(stranger, student), 201).json == {"state": "requested"}
    assert names(student, "requests") == [person(stranger)]
    assert names(student, "followers") == []
    # Who has asked shows himself or herself.
    assert changed(homepage(student, stranger)).json["relation"]["follower"] == "requested"
    accept(student, stranger)
    relation = changed(following(stranger, student, "GET")).json["relation"]
    assert relation == {"following": "following", "follower": "none", "friends": False, "blocked": False}
    assert changed(homepage(stranger, student)).json["counts"] == {"followers": 1, "following": 0, "friends": 0}
    changed(student.call("DELETE", f"/v1/accounts/me/followers/{person(stranger)}"), 204)
    assert changed(following(stranger, student, "GET")).json["relation"]["following"] == "none"
    changed(student.patch("/v1/accounts/me", {"followers": "open"}))
    assert changed(following(stranger, student), 201).json == {"state": "following"}


def test_one_who_cannot_be_found_is_followed_by_the_newest_link(student, stranger):
    first = changed(student.post("/v1/accounts/me/link"), 201).json["link"]["token"]
    second = changed(student.post("/v1/accounts/me/link"), 201).json["link"]["token"]
    for link in (first, second[:-1] + "_", "x"):
        assert following(stranger, student, body={"link": link}).status == 404
    assert changed(following(stranger, student, body={"link": second}), 201).json == {"state": "requested"}
    assert homepage(stranger, student).status == 404  # until the request is accepted
    accept(student, stranger)
    changed(homepage(stranger, student))


@pytest.mark.parametrize("end", ["unfollow", "remove", "block", "blocked"])
def test_what_a_friend_sees_ends_with_the_friendship_before_the_answer(live, board, student, stranger, end):
    record, entry = board
    share(record, "friends")
    assert stranger.get(record.path + "/shared").status == 404
    befriend(student, stranger)
    assert [item["id"] for item in changed(homepage(stranger, student)).json["records"]] == [record.id]
    assert names(student, "friends") == [person(stranger)]
    reader = live(stranger.token)
    topic = f"shared/{record.id}"
    state = reader.subscribe(topic)
    assert state["doc"]["figures"]["gpa"]["display"] == "3.00"
    changed(record.patch(entry, {"credits": 4}))
    {
        "unfollow": lambda: changed(following(student, stranger, "DELETE"), 204),
        "remove": lambda: changed(student.call("DELETE", f"/v1/accounts/me/followers/{person(stranger)}"), 204),
        "block": lambda: changed(block(student, stranger), 204),
        "blocked": lambda: changed(block(stranger, student), 204),
    }[end]()
    assert reader.next("end", topic=topic)["why"] == "revoked"
    assert stranger.get(record.path + "/shared").status == 404
    if "block" in end:
        blocker, other = (student, stranger) if end == "block" else (stranger, student)
        for one, to in ((student, stranger), (stranger, student)):
            assert homepage(one, to).status == 404
            assert following(one, to).status == 404
        assert names(blocker, "blocks") == [person(other)] and names(other, "blocks") == []
        share(record, "everyone")
        assert stranger.get(record.path + "/shared").status == 404
        changed(block(blocker, other, "DELETE"), 204)
        assert stranger.get(record.path + "/shared").status == 200


def test_a_preview_is_what_others_see(board, student):
    record, _ = board
    seen = {"friends": {"friend"}, "members": {"member"}, "everyone": {"friend", "member", "everyone"}}
    for audience, viewers in seen.items():
        share(record, audience)
        found = {
            viewer
            for viewer in ("friend", "member", "everyone")
            if changed(student.get(f"/v1/accounts/me/preview?as={viewer}")).json["records"]
        }
        assert found == viewers, audience
    assert student.get("/v1/accounts/me/preview?as=rector").status == 400


def test_friends_are_shown_to_friends_by_consent_as_far_as_they_may_see_them(server, student, stranger):
    befriend(student, stranger)
    hidden, found = server.api().sign_up(), server.api().sign_up()
    for api in (hidden, found):
        befriend(student, api)
    changed(hidden.patch("/v1/accounts/me", {"discoverable": False}))
    assert "friends" not in changed(homepage(stranger, student)).json
    changed(student.patch("/v1/accounts/me", {"lists": "friends"}))
    assert [one["id"] for one in changed(homepage(stranger, student)).json["friends"]] == [person(found)]
    assert "friends" not in changed(homepage(server.api().sign_up(), student)).json


def test_lists_come_in_pages(server, student):
    changed(student.patch("/v1/accounts/me", {"discoverable": True, "followers": "open"}))
    followers = [server.api().sign_up() for _ in range(3)]
    for api in followers:
        changed(following(api, student), 201)
    found, path = [], "/v1/accounts/me/followers?limit=2"
    while path:
        answer = changed(student.get(path))
        found += [item["person"]["id"] for item in answer.json["items"]]
        path = next_page(answer)
    assert found == sorted(map(person, followers))


def test_the_export_holds_them_and_deletion_erases_them(server, student, stranger):
    befriend(student, stranger)
    exported = changed(student.get("/v1/accounts/me/export")).json
    assert [one["account"] for one in exported["friends"]] == [person(stranger)]
    assert [one["account"] for one in exported["following"]] == [person(stranger)]
    assert (exported["requests"], exported["blocks"]) == ([], [])
    assert exported["account"]["discoverable"] is True
    changed(student.delete("/v1/accounts/me"), 204)
    assert [names(stranger, kind) for kind in ("friends", "following", "followers")] == [[], [], []]
