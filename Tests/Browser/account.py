"""An account of a demo server, used from elsewhere: by its own HTTP client, without the browser and its network."""

import json
import urllib.error
import urllib.request

from conftest import PASSWORD


class Account:
    def __init__(self, url: str, login: str):
        self.url = url
        self.token = None
        answer = self.call("POST", "/v1/sessions", {"login": login, "password": PASSWORD})
        self.token = answer["session"]["token"]
        self.session = answer["session"]["id"]

    def call(self, method: str, path: str, body=None):
        headers = {"content-type": "application/json"}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(self.url + path, data, headers, method=method)) as answer:
            text = answer.read()
            return json.loads(text) if text else None

    def end_other_sessions(self):
        for item in self.call("GET", "/v1/sessions")["items"]:
            if item["id"] != self.session:
                self.call("DELETE", f"/v1/sessions/{item['id']}")

    def titles(self, record: str) -> list[str]:
        """The titles of the courses on a chalkboard."""
        document = self.call("GET", f"/v1/records/{record}")
        return [entry["fields"]["title"] for entry in document["record"]["entries"]]

    def history(self, record: str) -> str:
        """Everything that was ever entered in a record, as text."""
        path, items = f"/v1/records/{record}/history?limit=100", []
        while path:
            items += self.call("GET", path)["items"]
            path = None
        return json.dumps(items)

    def rename(self, record: str, title: str):
        """Renames the first course."""
        entry = self.call("GET", f"/v1/records/{record}")["record"]["entries"][0]["id"]
        self.call("PATCH", f"/v1/records/{record}/entries/{entry}", {"fields": {"title": title}})
