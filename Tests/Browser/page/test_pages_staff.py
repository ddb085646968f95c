"""Faults that axe finds on every page of staff, in one tour of all of them on a desktop."""

import pytest
from accessibility import SCRIPT, themes


@pytest.fixture(scope="module")
def found(gallery):
    """The faults in each theme."""
    return themes(gallery.tour(roles=("registrar", "teacher", "administrator"), script=SCRIPT, color_scheme="light"))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_page_of_staff(found, theme):
    assert found[theme] == []
