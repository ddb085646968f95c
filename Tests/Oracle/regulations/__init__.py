"""A second interpreter of the language in which institutions write their regulations (docs/regulations.md).

It shares nothing with the server but that page: a document's words are read by plain recursion and evaluated over
`fractions.Fraction`, entry by entry and without haste, so that a reader can check it against the page by eye.
"""

from .compare import differences, fault_differences
from .document import read
from .generate import requests
from .standing import evaluate, settings_of

__all__ = ["differences", "evaluate", "fault_differences", "read", "requests", "settings_of"]
