"""The documentation as a site: each link in it leads somewhere, and each document is in its contents."""

import subprocess
import sys

import pytest
import yaml

import gradecast

ROOT = gradecast.ROOT


@pytest.mark.slow("makes a page of every document of the repository")
def test_the_site_is_made_without_a_broken_link(tmp_path):
    done = subprocess.run([sys.executable, ROOT / "deploy" / "docs-site", tmp_path], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "site" / "docs" / "classes.html").is_file()


def listed(nav):
    for item in nav:
        for target in item.values():
            yield from listed(target) if isinstance(target, list) else [target]


def test_each_document_is_in_the_contents():
    nav = yaml.safe_load((ROOT / "deploy" / "mkdocs.yml").read_text())["nav"]
    documents = {str(path.relative_to(ROOT)) for path in (ROOT / "docs").glob("*.md")}
    assert documents - set(listed(nav)) == set()
