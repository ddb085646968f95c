"""Links that staff hand on lead to the server's public address, however staff reached it themselves."""

import json
import os

import pytest
from conftest import Person, Server
from playwright.sync_api import expect


@pytest.mark.slow("starts a server of its own, which has a public address")
def test_links_begin_with_the_public_address(browser, tmp_path):
    if os.environ.get("GRADECAST_URL"):
        pytest.skip("needs a server of its own")
    config = tmp_path / "config.json"
    server = Server(tmp_path / "data", "--config", str(config))
    config.write_text(json.dumps({"publicUrl": server.url}))
    server.start()
    administrator = Person(browser, server.url.replace("localhost", "127.0.0.1"))
    administrator.sign_in(*server.sign_ins()["administrator"].values())
    page = administrator.open("/admin/accounts")
    page.get_by_role("button", name="Reset link").first.click()
    expect(page.locator(".link-once code")).to_contain_text(f"{server.url}/reset#")
    page = administrator.open("/institutions/demo/members")
    page.get_by_role("button", name="Make a link").click()
    expect(page.locator(".link-once code")).to_contain_text(f"{server.url}/invitation#")
    administrator.context.close()
    server.stop()
    assert administrator.problems == []
