"""The client's texts, `{language: {key: text}}`, and the texts that a page shows."""

import json

from conftest import ROOT

WEB = ROOT / "Web"
FOLDER = WEB / "app" / "i18n"
PARTS = {
    name: [
        json.loads((FOLDER / f"{name}{part}.json").read_text())
        for part in (
            "",
            ".profile",
            ".record",
            ".staff",
            ".people",
            ".class",
            ".feed",
            ".search",
            ".regulation",
            ".docs",
        )
    ]
    for name in ("en", "fr", "zh-Hans")
}
LANGUAGES = {name: {key: text for part in parts for key, text in part.items()} for name, parts in PARTS.items()}

# The words of the rule language are the same in every language.
SHOWN = """() => [...document.querySelectorAll('body *')].filter(element => !element.closest('[translate="no"]'))
    .flatMap(element => [...element.childNodes].filter(node => node.nodeType === Node.TEXT_NODE)
        .map(node => node.data.trim())
        .concat(['aria-label', 'title', 'alt', 'placeholder'].map(name => element.getAttribute(name) ?? '')))"""


def shown(page) -> set[str]:
    """All texts of a page, including those of attributes."""
    return set(page.evaluate(SHOWN))
