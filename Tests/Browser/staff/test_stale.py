"""A program whose scheme has become another executable: its page says so, and brings its records up to date."""

import json
import os
import pathlib
import tempfile

import pytest
from conftest import ROOT, Person, Server
from playwright.sync_api import expect

SCHEME = (ROOT / "Tests" / "SchemeHostTests" / "Schemes" / "pass-fail").read_text()
# A task that is not done counts half. The version is in a file beside the scheme, so it can change without the digest.
GENEROUS = SCHEME.replace(
    '"id": "pass-fail",', '"id": "pass-fail", "version": open("{folder}/version").read(),'
).replace("share = Fraction(100 * done, len(tasks))", "share = Fraction(50 * (done + len(tasks)), len(tasks))")


@pytest.fixture
def folder():
    """If the tests run as root, a scheme runs as another user, who must be able to read it."""
    if os.environ.get("GRADECAST_URL"):
        pytest.skip("needs a server of its own")
    with tempfile.TemporaryDirectory(prefix="gradecast-") as name:
        pathlib.Path(name).chmod(0o755)
        yield pathlib.Path(name)


def build(program, text):
    program.write_text(text)
    program.chmod(0o755)


@pytest.mark.slow("starts its server three times, each time with another build of the scheme")
def test_stale_records_are_told_rehearsed_and_recomputed(browser, folder):
    program = folder / "pass-fail"
    build(program, SCHEME)
    scheme = {"run": str(program), "deadlineMilliseconds": 20_000}
    # A server that stops waits no longer for the page that is open.
    (folder / "config.json").write_text(json.dumps({"plugins": [scheme], "limits": {"drainSeconds": 1}}))
    server = Server(folder / "data", "--config", str(folder / "config.json")).start()
    registrar = Person(browser, server.url)
    try:
        registrar.sign_in(**server.sign_ins()["registrar"])
        wish = {"scheme": "pass-fail", "title": "Tasks", "entry": "both"}
        path = "/v1/programs/" + registrar.api("POST", "/v1/institutions/demo/programs", wish)["body"]["program"]["id"]
        rehearsal = registrar.api("POST", path + "/rehearsals")["body"]["rehearsal"]
        page = registrar.open(path.removeprefix("/v1") + "/versions")
        page.get_by_role("button", name="Publish version 1").click()
        page.get_by_role("dialog").get_by_role("button", name="Publish version 1").click()
        expect(page.locator(".page-head").first).to_contain_text("Version 1")
        assert rehearsal["of"] == "draft"
        record = registrar.api("POST", "/v1/records", {"program": path.rpartition("/")[2]})["body"]["record"]["id"]
        task = {"kind": "task", "fields": {"title": "Read", "done": False}}
        assert registrar.api("POST", f"/v1/records/{record}/entries", task)["status"] == 201

        server.stop()
        build(program, GENEROUS.replace("{folder}", str(folder)))
        (folder / "version").write_text("2.0")
        server.start()
        page = registrar.load(path.removeprefix("/v1"))
        expect(page.locator(".stale")).to_contain_text("1 record was computed by another build of the scheme")
        page.get_by_role("link", name="See what would change").click()
        card = page.locator(".stale")
        expect(card).to_contain_text("Build 2.0 runs now")
        expect(page.get_by_role("button", name="Recompute 1 record")).to_have_count(0)
        card.get_by_role("button", name="Rehearse the recomputation").click()
        row = card.locator('tr[data-kind="figure"]')
        expect(row).to_contain_text("Done")
        expect(row.locator("del")).to_have_text("0.0")
        expect(row.locator("ins")).to_have_text("50.0")
        expect(card.get_by_role("button", name="Recompute 1 record")).to_be_visible()

        # The same executable with another version is another build: the rehearsal no longer applies.
        server.stop()
        (folder / "version").write_text("2.1")
        server.start()
        page = registrar.load(path.removeprefix("/v1") + "/versions")
        card = page.locator(".stale")
        expect(card).to_contain_text("Build 2.1 runs now")
        expect(card).to_contain_text("Rehearse again")
        expect(page.get_by_role("button", name="Recompute 1 record")).to_have_count(0)
        card.get_by_role("button", name="Rehearse the recomputation").click()
        card.get_by_role("button", name="Recompute 1 record").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("1 record will be computed by build 2.1")
        dialog.get_by_role("button", name="Recompute 1 record").click()
        expect(page.locator(".stale")).to_have_count(0)
        expect(page.locator('.sweeps li[data-state="done"]')).to_contain_text("1 of 1 done")
        page = registrar.open(f"/records/{record}")
        page.get_by_role("button", name="History").click()
        expect(page.get_by_role("dialog")).to_contain_text("Computed by another build of the scheme")
        for language, words in (("fr", "Relevés recalculés"), ("zh-Hans", "已重新计算的成绩单")):
            page.evaluate("language => localStorage.setItem('gradecast.language', language)", language)
            page = registrar.open(path.removeprefix("/v1") + "/versions")
            expect(page.get_by_role("heading", name=words)).to_be_visible()
    finally:
        registrar.context.close()
        server.stop()
    assert registrar.problems == []
