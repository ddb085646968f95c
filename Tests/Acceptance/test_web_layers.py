"""The layers of the web client: what each of its modules may import, read off every import below Web/app."""

import pathlib
import re

import pytest

APP = pathlib.Path(__file__).resolve().parents[2] / "Web" / "app"

# From the bottom up; a module imports only from its own layer and from those below it.
LAYERS = ["core", "parts", "schemes", "pages", "routes.js", "main.js"]
# `import … from '…'`, `export … from '…'`, `import '…'` and `import('…')`, over several lines too.
IMPORT = re.compile(r"""(?:^import\s*|^(?:import|export)\b[\w$*{},\s]+?\bfrom\s*|\bimport\()['"]([^'"]+)['"]""", re.MULTILINE)
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


@pytest.mark.parametrize("module", MODULES)
def test_a_module_of_the_page_imports_only_what_lies_below_it(module):
    assert sorted(imported(module) - set(MODULES)) == []
    assert sorted(other for other in imported(module) if layer(other) > layer(module)) == []


def test_no_modules_of_the_page_import_each_other():
    open_, done = [], set()

    def visit(module):
        assert module not in open_, f"a circle: {' → '.join([*open_, module])}"
        if module in done:
            return
        open_.append(module)
        for other in sorted(imported(module)):
            visit(other)
        done.add(open_.pop())

    for module in MODULES:
        visit(module)
