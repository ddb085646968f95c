"""The texts of the class page in three languages."""

import re

import pytest
from texts import LANGUAGES


def of_class(language):
    return {
        key: text
        for key, text in LANGUAGES[language].items()
        if re.match(r"(class|curve|export|file|grid|late|ledger|paste|keys|roster|statistics|structure)\.", key)
    }


@pytest.mark.parametrize("language", ["fr", "zh-Hans"])
def test_every_text_of_a_class_is_there_in_each_language_with_its_parts(language):
    parts = {
        name: {key: sorted(re.findall(r"\{\w+\}", text)) for key, text in of_class(name).items()}
        for name in ("en", language)
    }
    assert parts[language] == parts["en"]


def test_what_a_paste_comes_to_has_a_singular_and_a_plural():
    for kind in ("new", "changed", "cleared", "refused", "same"):
        for texts in LANGUAGES.values():
            assert f"paste.count.{kind}.one" in texts and f"paste.count.{kind}.other" in texts
        assert LANGUAGES["fr"][f"paste.count.{kind}.one"] != LANGUAGES["fr"][f"paste.count.{kind}.other"]


def test_who_did_something_is_no_subject_of_a_french_verb():
    """The name may be “Vous”."""
    sentences = {
        key: text for key, text in of_class("fr").items() if key.startswith("ledger.") or key == "grid.theirValueAt"
    }
    assert [key for key, text in sentences.items() if re.search(r"\{name\} (a|est|ne|se)\b", text)] == []
