"""Faults that axe finds on every page of guests and students, in one tour of all of them on a desktop."""

import pytest
from accessibility import SCRIPT, themes


@pytest.fixture(scope="module")
def found(gallery):
    """The faults in each theme."""
    return themes(gallery.tour(roles=(None, "newcomer", "student"), script=SCRIPT, color_scheme="light"))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_page_of_guests_or_students(found, theme):
    assert found[theme] == []
