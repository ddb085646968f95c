"""Draws every page, light and dark, phone and desktop: `screenshots.py FOLDER`."""

import itertools
import os
import pathlib
import sys
import tempfile

import board
from conftest import Person, Server
from playwright.sync_api import sync_playwright

SIZES = {"phone": {"width": 375, "height": 667}, "desktop": {"width": 1280, "height": 800}}


def guest_pages(person):
    yield "home", person.open("/")
    for path in ("sign-in", "sign-up", "records", "explore/chalkboard"):
        yield "guest-" + path.replace("/", "-"), person.open(f"/{path}")


def student_pages(person):
    page = person.new_record("chalkboard")
    yield "chalkboard-empty", page
    board.added(page, "Algorithms", "95", "92", "90")
    board.added(page, "Data Structures", "70", "75", "78", credits="4")
    page.evaluate("scrollTo(0, 0)")
    yield "chalkboard", page
    page.locator(".board-gpa").click()
    page.locator(".trace").wait_for()
    yield "why", page
    page = person.new_record("rose-hulman")
    yield "rose-hulman-empty", page
    page.get_by_role("button", name="Add course").click()
    yield "rose-hulman-add", page
    sheet = page.get_by_role("dialog")
    for name, value in (("/fields/title", "Operating Systems"), ("/fields/number", "CSSE332"), ("/fields/section", "1"),
                        ("/weights/exams/fields/weight", "60"), ("/weights/labs/fields/weight", "40")):
        sheet.locator(f'[name="{name}"]').fill(value)
    sheet.get_by_role("button", name="Add", exact=True).click()
    page.locator(".course-open").click()
    page.get_by_role("button", name="Add to Exams").click()
    for name, value in (("title", "Midterm"), ("score", "42"), ("max", "50")):
        sheet.locator(f'[name="/fields/{name}"]').fill(value)
    sheet.get_by_role("button", name="Add", exact=True).click()
    page.locator(".item-line").first.wait_for()
    yield "rose-hulman", page
    page.get_by_role("button", name="What if?").click()
    page.locator(".sandbox-banner").wait_for()
    yield "what-if", page
    page = person.new_record("iut", sample=True)
    yield "iut", page
    page.get_by_role("button", name="Unlock the grade: Stage", exact=True).click()
    page.locator(".grade-edit").scroll_into_view_if_needed()
    yield "iut-unlocked", page
    page.get_by_role("button", name="Edit", exact=True).click()
    yield "iut-session", page
    page.get_by_role("button", name="History").click()
    page.locator(".history").wait_for()
    yield "history", page
    for name in ("records", "profile", "explore"):
        yield name, person.open(f"/{name}")


def staff_pages(person):
    for name in ("programs", "admin", "admin/accounts"):
        yield name.replace("/", "-"), person.open(f"/{name}")
    page = person.open("/programs")
    page.locator("main .record-link").first.click()
    page.locator(".settings").first.wait_for()
    yield "program", page
    page = person.open("/programs")
    page.get_by_role("link", name="Members").first.click()
    page.locator("table").wait_for()
    yield "members", page


def main(folder: pathlib.Path):
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(pathlib.Path(data)).start()
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
        for (size, viewport), theme in itertools.product(SIZES.items(), ("light", "dark")):
            look = {"viewport": viewport, "color_scheme": theme, "reduced_motion": "reduce"}
            guest, student, staff = (Person(browser, server.url, **look) for _ in range(3))
            for name, page in itertools.chain(guest_pages(guest), student_pages(student.sign_up()),
                                              staff_pages(staff.sign_in(*server.sign_ins()["administrator"].values()))):
                page.screenshot(path=folder / f"{name}-{size}-{theme}.png")
            for person in (guest, student, staff):
                person.context.close()
        server.stop()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "screenshots"))
