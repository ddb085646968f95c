"""The settings of webhooks: addresses that are refused, secrets, the test message, and who sees what."""

import base64
import socket
import threading

import pytest
from programs import until
from receiver import Receiver
from webhooks import ALL, Webhook, new_record, published

import gradecast
from client import changed, listed
from stored import kept


def test_administrators_see_the_host_of_an_address_alone(server):
    registrar, administrator = server.signed_in("registrar"), server.signed_in("administrator")
    path = "/v1/institutions/demo/webhooks"
    body = {"title": "In", "url": "https://example.org:8443/a/secret?with=more", "events": ALL, "enabled": False}
    made = changed(registrar.post(path, body), 201).json["webhook"]
    one = f"{path}/{made['id']}"
    seen = [changed(administrator.get(one)).json["webhook"]]
    seen += [item for item in listed(administrator, path) if item["id"] == made["id"]]
    assert [item["url"] for item in seen] == ["https://example.org:8443"] * 2
    assert changed(registrar.get(one)).json["webhook"]["url"] == body["url"]
    changed(registrar.patch(one, {"url": "https://example.org:8443/another/secret"}))
    trail = [line for line in listed(administrator, "/v1/audit?limit=200") if line["subject"] == made["id"]]
    assert "secret" not in str(trail)
    detail = next(line["detail"] for line in trail if line["action"] == "webhook.changed")
    assert detail["before"]["host"] == detail["after"]["host"] == "example.org:8443"
    assert detail["before"]["digest"] != detail["after"]["digest"]
    changed(administrator.delete(one), 204)


def test_both_secrets_sign_for_a_day_after_a_new_one(place, receiver):
    receiver.up()
    webhook = Webhook(place.signed_in("registrar"), receiver)
    answer = changed(webhook.api.post(webhook.path + "/secret")).json
    receiver.secrets.append(answer["secret"])
    assert answer["webhook"]["formerSecretUntil"] > answer["webhook"]["createdAt"]
    new_record(published(webhook.api))
    until(lambda: receiver.of("record.created"), bool)
    assert len(receiver.messages[0]["signature"].split()) == 2
    text = str(webhook.state) + str(changed(webhook.api.get(webhook.all)).json)
    assert not any(secret.removeprefix("whsec_") in text for secret in receiver.secrets)


def test_a_test_message_says_what_became_of_it(place, receiver):
    receiver.up()
    webhook = Webhook(place.signed_in("registrar"), receiver)
    outcome = changed(webhook.api.post(webhook.path + "/test")).json["outcome"]
    assert outcome == {"accepted": True, "status": 204, "reason": None, "excerpt": ""}
    assert receiver.messages[0]["type"] == "webhook.test"
    receiver.answer = lambda message: 200
    assert changed(webhook.api.post(webhook.path + "/test")).json["outcome"]["excerpt"] == "ok"
    receiver.down()
    outcome = changed(webhook.api.post(webhook.path + "/test")).json["outcome"]
    assert outcome == {"accepted": False, "status": None, "reason": "connection", "excerpt": ""}


def test_of_a_long_answer_a_printable_beginning_is_told(place, receiver):
    receiver.answer = lambda message: (200, {}, b"<p>\x1b[1m\xc3\xa9 " + b"x" * 1_000_000)
    receiver.up()
    webhook = Webhook(place.signed_in("registrar"), receiver)
    outcome = changed(webhook.api.post(webhook.path + "/test")).json["outcome"]
    assert outcome["accepted"] is True
    assert outcome["excerpt"] == ("<p> [1m   " + "x" * 200)[:200]


@pytest.mark.slow("waits fifteen seconds for the end of an answer")
def test_a_status_that_came_counts_though_the_rest_of_the_answer_does_not_come(place, receiver):
    webhook = Webhook(place.signed_in("registrar"), receiver)
    with socket.create_server(("127.0.0.1", receiver.port)) as listener:

        def answer():
            connection, _ = listener.accept()
            connection.recv(65_536)
            connection.sendall(b"HTTP/1.1 202 Accepted\r\nContent-Length: 100\r\n\r\nthis much")
            connection.recv(65_536)
            connection.close()

        waiting = threading.Thread(target=answer)
        waiting.start()
        outcome = changed(webhook.api.post(webhook.path + "/test")).json["outcome"]
        waiting.join()
    assert outcome == {"accepted": True, "status": 202, "reason": None, "excerpt": "this much"}


def test_a_redirect_is_not_followed(place, receiver):
    other = Receiver().up()
    receiver.answer = lambda message: (302, {"Location": other.url})
    receiver.up()
    webhook = Webhook(place.signed_in("registrar"), receiver)
    outcome = changed(webhook.api.post(webhook.path + "/test")).json["outcome"]
    assert (outcome["accepted"], outcome["status"]) == (False, 302)
    assert other.attempts == []
    other.down()


@pytest.mark.parametrize("address", [
    "http://127.0.0.1:9/", "https://127.0.0.1/", "https://10.1.2.3/", "https://[::1]/", "https://169.254.169.254/x",
    "http://example.org/", "ftp://example.org/", "https://user:word@example.org/", "https:///x",
])  # fmt: skip
def test_an_address_inside_the_own_network_is_refused_unless_it_is_allowed(server, address):
    api = server.signed_in("registrar")
    refused = api.post("/v1/institutions/demo/webhooks", {"title": "In", "url": address, "events": ALL})
    assert refused.status == 422
    assert [(fault["code"], fault["path"]) for fault in refused.json["faults"]] == [("webhook_address", "/url")]


def test_a_name_that_leads_into_the_own_network_is_refused_when_it_is_connected_to(server):
    api = server.signed_in("registrar")
    body = {"title": "In", "url": "https://localhost:9/", "events": ALL, "enabled": False}
    webhook = changed(api.post("/v1/institutions/demo/webhooks", body), 201).json["webhook"]
    path = f"/v1/institutions/demo/webhooks/{webhook['id']}"
    outcome = changed(api.post(path + "/test")).json["outcome"]
    assert (outcome["accepted"], outcome["reason"]) == (False, "network")
    changed(api.delete(path), 204)


def test_what_is_not_understood_is_named(server):
    api = server.signed_in("registrar")
    path = "/v1/institutions/demo/webhooks"
    body = {
        "title": "In",
        "url": "https://example.org/",
        "events": ["record.read"],
        "program": "none",
        "content": "all",
    }
    faults = {fault["path"]: fault["code"] for fault in api.post(path, body).json["faults"]}
    assert faults == {"/events/0": "out_of_range", "/program": "program_unknown", "/content": "out_of_range"}
    for _ in range(20):
        changed(api.post(path, {"title": "In", "url": "https://example.org/", "events": ALL, "enabled": False}), 201)
    refused = api.post(path, {"title": "In", "url": "https://example.org/", "events": ALL})
    assert [fault["code"] for fault in refused.json["faults"]] == ["webhook_limit"]
    for item in changed(api.get(path)).json["items"]:
        changed(api.delete(f"{path}/{item['id']}"), 204)


def test_a_secret_is_sealed_in_the_store(tmp_path, receiver):
    server = gradecast.Server(tmp_path).start()
    api = server.signed_in("registrar")
    body = {"title": "In", "url": "https://example.org/", "events": ALL}
    secret = changed(api.post("/v1/institutions/demo/webhooks", body), 201).json["secret"].removeprefix("whsec_")
    assert server.stop() == 0, server.output()
    found = kept(server)
    assert b"https://example.org/" in found
    assert secret.encode() not in found and base64.b64decode(secret) not in found
