"""What one does on the chalkboard."""

from playwright.sync_api import Page, expect


def add(page: Page, title: str, *points: str, credits: str = "3", weights=None):
    """Fills the form and presses Add Course."""
    page.fill('.course-form [name="/fields/title"]', title)
    page.fill('.course-form [name="/fields/credits"]', credits)
    for index, value in enumerate(points):
        page.fill(f'.course-form [name="/children/{index}/fields/points"]', value)
    for index, value in enumerate(weights or ()):
        page.fill(f'.course-form [name="/children/{index}/fields/weight"]', value)
    page.get_by_role("button", name="Add Course").click()


def added(page: Page, title: str, *points: str, **more):
    add(page, title, *points, **more)
    expect(page.locator(".board-line", has_text=title)).to_be_visible()
    expect(page.locator('.course-form [name="/fields/title"]')).to_have_value("Mobile programming")


def delete(page: Page, position: str):
    page.fill('[name="/position"]', position)
    page.get_by_role("button", name="Delete Course").click()
