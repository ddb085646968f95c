"""The words of every page in the other languages, in a tour for each."""

import pytest
from texts import LANGUAGES, shown


@pytest.mark.slow("reads every page of the client in one language")
@pytest.mark.parametrize("language", ["fr", "zh-Hans"])
def test_no_page_speaks_english_to_others(gallery, language):
    own = set(LANGUAGES[language].values())
    english = {text for text in LANGUAGES["en"].values() if "{" not in text} - own
    # Titles of courses, items and programs are chosen by users.
    english -= {"GPA", "Midterm", "Final", "Assignments", "Administration"}
    found = []
    for name, page in gallery.tour(language=language):
        found += sorted((name, text) for text in shown(page) if text in english or text in LANGUAGES["en"])
    assert found == []
