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


# These do not wait even for a first element: what they give is complete only after something else has waited.
LISTS = {"all_inner_texts", "all_text_contents", "count"}
WAITS = {"expect", "eventually", "wait_for_function"}


def names_read(text: str) -> list[tuple[int, str]]:
    """The line and name of each variable that takes a list from the page without a wait in the statement before, and that
    an `assert` of the same function uses."""
    found = []
    for function in (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)):
        asserts = [node for node in ast.walk(function) if isinstance(node, ast.Assert)]
        asserted = {node.id for test in asserts for node in ast.walk(test) if isinstance(node, ast.Name)}
        for block in (getattr(node, "body", None) for node in ast.walk(function)):
            if not isinstance(block, list):
                continue
            for before, statement in zip([None, *block], block, strict=False):
                if isinstance(statement, ast.Assign) and calls(statement, LISTS) and not calls(before, WAITS):
                    targets = {
                        node.id for to in statement.targets for node in ast.walk(to) if isinstance(node, ast.Name)
                    }
                    found += [(statement.lineno, name) for name in sorted(targets & asserted)]
    return found


def loops(text: str) -> list[tuple[int, str]]:
    """The line of each loop over the elements of a list, whose number the statement before does not wait for: an element
    that comes in between moves the others on."""
    blocks = [getattr(node, "body", None) for node in ast.walk(ast.parse(text))]
    return [
        (statement.lineno, "all")
        for block in blocks
        if isinstance(block, list)
        for before, statement in zip([None, *block], block, strict=False)
        if isinstance(statement, ast.For) and calls(statement.iter, {"all"}) and not calls(before, {"to_have_count"})
    ]


def left_over(text: str) -> list[tuple[int, str]]:
    """The line and the name of each test that takes the live connection from somebody who may stay for those after it:
    Playwright cannot give it back."""
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    return [
        (function.lineno, function.name)
        for function in functions
        if "STAYING" in text
        and calls(function, {"route_web_socket"})
        and "newcomer" not in {argument.arg for argument in function.args.args}
    ]


def calls(node: ast.AST | None, names: set[str]) -> bool:
    """Whether a statement calls a function or method with one of the names; `count` of a text or list is another one."""
    return any(
        getattr(call.func, "attr", getattr(call.func, "id", None)) in names
        and not (getattr(call.func, "attr", None) == "count" and call.args)
        for call in (ast.walk(node) if node else ())
        if isinstance(call, ast.Call)
    )


def in_browser_tests(look) -> list[str]:
    """What `look` finds in the text of each browser test, with its place."""
    return [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in sorted((ROOT / "Tests" / "Browser").rglob("*.py"))
        for line, name in look(path.read_text())
    ]


def test_no_assertion_rests_on_a_list_that_may_be_incomplete():
    assert (found := in_browser_tests(names_read)) == [], "\n" + "\n".join(found)


def test_such_a_list_is_found_unless_a_wait_is_in_the_statement_before():
    text = """
def test(page):
    expect(page.rows).to_have_count(3)
    waited = page.rows.all_inner_texts()
    unwaited = page.rows.all_inner_texts()
    unused = page.rows.count()
    words = text.count("a")
    assert waited == unwaited and words == 1
"""
    assert names_read(text) == [(5, "unwaited")]


def test_no_assertion_reads_the_page_once():
    assert (found := in_browser_tests(reads)) == [], "\n" + "\n".join(found)


def test_such_a_reading_is_found_wherever_it_is_in_the_assertion():
    text = 'assert page.count() == 1\nassert {"a": [x.inner_text() for x in all_]} != {}, "why"\nassert "aa".count("a") == 2'
    assert reads(text) == [(1, "count"), (2, "inner_text")]


def test_no_test_takes_the_live_connection_from_those_after_it():
    assert (found := in_browser_tests(left_over)) == [], "\n" + "\n".join(found)


def test_such_a_test_is_found_where_people_stay():
    tests = "def test(room):\n    page.context.route_web_socket(all_, none)\n\ndef mine(newcomer):\n    page.route_web_socket(all_, none)"
    assert left_over(f'STAYING = {{"staff"}}\n{tests}') == [(2, "test")] and left_over(tests) == []


def test_no_loop_goes_over_a_list_that_may_be_incomplete():
    assert (found := in_browser_tests(loops)) == [], "\n" + "\n".join(found)


def test_such_a_loop_is_found_unless_the_number_is_waited_for_before():
    loop = "for each in page.rows.all():\n    each.click()\n"
    assert loops(f"expect(page.rows).not_to_have_count(0)\n{loop}") == [(2, "all")]
    assert loops(f"expect(page.rows).to_have_count(2)\n{loop}") == []


def expressions(text: str) -> list[tuple[int, str]]:
    """The line of each wait for an expression instead of a function: if it is not true at once, the page would have to
    evaluate a text, which its policy forbids."""
    waits = (
        node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and calls(node, {"wait_for_function"})
    )
    return [
        (wait.lineno, wait.args[0].value)
        for wait in waits
        if wait.args and isinstance(wait.args[0], ast.Constant) and "=>" not in wait.args[0].value
    ]


def test_no_wait_is_for_an_expression():
    assert (found := in_browser_tests(expressions)) == [], "\n" + "\n".join(found)


def test_such_a_wait_is_found():
    text = (
        'page.wait_for_function("shown > 0")\npage.wait_for_function("() => shown > 0")\npage.wait_for_function(READY)'
    )
    assert expressions(text) == [(1, "shown > 0")]
