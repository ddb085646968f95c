"""What axe finds on every page, in one tour of them all at a desk."""

import pytest
from accessibility import COLOURS, serious


@pytest.fixture(scope="module")
def found(gallery):
    """What was found in each theme."""
    found = {"light": [], "dark": []}
    for name, page in gallery.tour(color_scheme="light"):
        found["light"] += [(name, *violation) for violation in serious(page)]
        page.emulate_media(color_scheme="dark")
        found["dark"] += [(name, *violation) for violation in serious(page, COLOURS)]
        page.emulate_media(color_scheme="light")
    return found


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_page(found, theme):
    assert found[theme] == []
