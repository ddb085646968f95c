"""The client's texts: `{language: {key: text}}`."""

import json

from conftest import ROOT

WEB = ROOT / "Web"
FOLDER = WEB / "app" / "i18n"
PARTS = {
    name: [
        json.loads((FOLDER / f"{name}{part}.json").read_text())
        for part in ("", ".profile", ".record", ".staff", ".people", ".class")
    ]
    for name in ("en", "fr", "zh-Hans")
}
LANGUAGES = {name: {key: text for part in parts for key, text in part.items()} for name, parts in PARTS.items()}
