"""The layers of the web client: what each of its modules may import, read off every import below Web/app."""

import pathlib
import re

import pytest

APP = pathlib.Path(__file__).resolve().parents[3] / "Web" / "app"

# From the bottom up; a module imports only from its own layer and from those below it.
LAYERS = ["core", "parts", "schemes", "pages", "routes.js", "signedIn.js", "main.js"]
# `import … from '…'`, `export … from '…'`, `import '…'` and `import('…')`, over several lines too.
IMPORT = re.compile(
    r"""(?:^import\s*|^(?:import|export)\b[\w$*{},\s]+?\bfrom\s*|\bimport\()['"]([^'"]+)['"]""", re.MULTILINE
)
MODULES = sorted(path.relative_to(APP).as_posix() for path in APP.rglob("*.js"))


def imported(module):
    """The modules that a module imports, as paths below Web/app."""
    path = APP / module
    targets = IMPORT.findall(path.read_text())
    return {(path.parent / target).resolve().relative_to(APP).as_posix() for target in targets}


def layer(module):
    return LAYERS.index(module.split("/")[0])


def test_every_kind_of_import_is_seen():
    text = "import { a,\n  b } from './a.js';\nimport './b.js';\nexport { c } from \"./c.js\";\nconst d = () => import('./d.js');\nexport const e = 'e';\n"
    assert IMPORT.findall(text) == ["./a.js", "./b.js", "./c.js", "./d.js"]


def test_no_line_of_the_page_is_longer_than_120_columns():
    lines = [
        f"{path.relative_to(APP.parent)}:{number}"
        for path in APP.parent.rglob("*.js")
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if len(line) > 120
    ]
    assert lines == []


@pytest.mark.parametrize("module", MODULES)
def test_a_module_of_the_page_imports_only_what_lies_below_it(module):
    assert sorted(imported(module) - set(MODULES)) == []
    assert sorted(other for other in imported(module) if layer(other) > layer(module)) == []


def test_the_client_for_other_programs_has_nothing_but_the_core():
    targets = [
        (path.parent / target).resolve()
        for path in (APP.parent / "client").glob("*.js")
        for target in IMPORT.findall(path.read_text())
    ]
    assert targets and [target for target in targets if APP / "core" not in target.parents] == []


def circle(imports):
    """The names along a circle of imports, if there is one."""
    open_, done = [], set()

    def visit(name):
        if name in open_:
            return [*open_[open_.index(name) :], name]
        if name in done:
            return None
        open_.append(name)
        for other in sorted(imports.get(name, ())):
            if found := visit(other):
                return found
        done.add(open_.pop())
        return None

    return next((found for name in sorted(imports) if (found := visit(name))), None)


def test_no_modules_of_the_page_import_each_other():
    assert circle({module: imported(module) for module in MODULES}) is None


def test_no_folders_of_the_page_import_each_other():
    imports = {}
    for module in MODULES:
        home = str(pathlib.PurePath(module).parent)
        others = {str(pathlib.PurePath(other).parent) for other in imported(module)}
        imports[home] = imports.get(home, set()) | others - {home, "."}
    del imports["."]
    assert circle(imports) is None


def test_a_circle_is_found():
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
