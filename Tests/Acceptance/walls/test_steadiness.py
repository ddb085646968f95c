"""What a browser test expects of a page waits for it: an `assert` that reads the page once is a matter of luck."""

import ast
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Each reads the page as it is at this moment; `expect` has one for each that waits.
ONCE = {
    "all_inner_texts", "all_text_contents", "bounding_box", "count", "get_attribute", "inner_html", "inner_text",
    "input_value", "is_checked", "is_disabled", "is_editable", "is_enabled", "is_hidden", "is_visible", "text_content",
}  # fmt: skip


def reads(text: str) -> list[tuple[int, str]]:
    """The line and the name of each such call inside an `assert`."""
    asserts = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Assert))
    calls = (node for test in asserts for node in ast.walk(test) if isinstance(node, ast.Call))
    return [
        (call.lineno, call.func.attr)
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and call.func.attr in ONCE
        and not (call.func.attr == "count" and call.args)
    ]


def test_no_assertion_reads_the_page_once():
    found = [
        f"{path.relative_to(ROOT)}:{line}: .{name}()"
        for path in sorted((ROOT / "Tests" / "Browser").rglob("*.py"))
        for line, name in reads(path.read_text())
    ]
    assert found == [], "\n" + "\n".join(found)


def test_such_a_reading_is_found_wherever_it_is_in_the_assertion():
    text = 'assert page.count() == 1\nassert {"a": [x.inner_text() for x in all_]} != {}, "why"\nassert "aa".count("a") == 2'
    assert reads(text) == [(1, "count"), (2, "inner_text")]
