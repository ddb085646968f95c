"""An independent oracle for the three built-in grading schemes.

It shares nothing with the server but the specification: plain recursion over dictionaries and
`fractions.Fraction`. Slow and obvious on purpose, so that a reader can check it against the rules by eye.
"""

from .compare import differences, fault_differences
from .evaluate import evaluate

__all__ = ["differences", "evaluate", "fault_differences"]
