"""The guide's example in JavaScript: it shows the GPA now, and again after a change."""

import pathlib
import re

import board

GUIDE = (pathlib.Path(__file__).resolve().parents[3] / "docs" / "follow.md").read_text(encoding="utf-8")
FOLLOW = re.search(r"^```js\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)[1]


def test_the_example_shows_the_gpa_now_and_after_a_change(newcomer):
    person = newcomer().sign_up()
    page = person.new_record("chalkboard")
    record = page.url.rsplit("/", 1)[1]
    path = f"/v1/records/{record}/changes"
    person.api("POST", path, {"changes": [{"op": "add", **board.course("Logic", 95)}]})
    body = {"name": "Follow", "scopes": ["records:read"], "days": 1}
    token = person.api("POST", "/v1/accounts/me/tokens", body)["body"]["token"]["token"]
    script = """([token, record]) => {
        const shown = window.shown = [];
        follow(location.origin, token, record, text => shown.push(text)).catch(error => shown.push(error.message));
    }"""
    page.evaluate(script.replace("const shown", FOLLOW + "const shown", 1), [token, record])
    page.wait_for_function("() => shown.length > 0")
    person.api("POST", path, {"changes": [{"op": "add", **board.course("Sets", 70)}]})
    page.wait_for_function("() => shown.length > 1")
    assert page.evaluate("shown") == ["4.00", "3.00"]
