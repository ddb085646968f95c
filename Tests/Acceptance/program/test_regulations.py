"""`gradecast regulation` checks a document and works its examples, without a server."""

import gradecast

DOCUMENTS = gradecast.ROOT / "GradingKit" / "Sources" / "RegulationLibrary" / "Documents"


def test_a_document_without_faults_passes_in_silence():
    result = gradecast.run("regulation", "check", DOCUMENTS / "iut.md")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_a_mistake_is_told_with_its_place_in_three_languages(tmp_path):
    text = (DOCUMENTS / "iut.md").read_text().replace("mean of grade over", "mean of grde over")
    document = tmp_path / "mistaken.md"
    document.write_text(text)
    line = 1 + text[: text.index("grde")].count("\n")
    wordings = {
        "en": "there is no “grde” in subject — did you mean `grade`?",
        "fr": "il n’y a pas de « grde » dans subject — vouliez-vous dire `grade` ?",
        "zh": "subject 中没有“grde”——是否想写 `grade`？",
    }
    for language, wording in wordings.items():
        result = gradecast.run("regulation", "check", document, "--language", language)
        assert result.returncode == 1
        assert result.stdout == f"{line}:15: unknown_name: {wording}\n"
        assert result.stderr == "1 fault\n"


def test_examples_and_laws_are_tried():
    result = gradecast.run("regulation", "test", DOCUMENTS / "iut.md", "--count", 20)
    assert result.returncode == 0, result
    assert "as expected  I6: internship at 7.5\n" in result.stdout
    assert "  kept    a trace re-evaluates to its figure\n" in result.stdout
    assert "broken" not in result.stdout


def test_an_example_that_does_not_come_out_is_shown_with_what_did(tmp_path):
    text = (DOCUMENTS / "iut.md").read_text().replace("professional = 9.81", "professional = 9.8")
    document = tmp_path / "wrong.md"
    document.write_text(text)
    line = 1 + text[: text.index("professional = 9.8,")].count("\n")
    result = gradecast.run("regulation", "test", document, "--count", 1)
    assert result.returncode == 1
    assert (
        f"different    I6: internship at 7.5\n  line {line}: professional = 9.8: 981/100 (§4.2 Overall average)\n"
        in result.stdout
    )


def test_the_command_says_what_it_takes(tmp_path):
    wrong = [[], ["check"], ["read", "x"], ["check", "x", "--seed", "1"], ["test", "x", "--count", "0"], ["diff", "x"]]
    wrong += [
        ["new", "x", "--from", "none"],
        ["new", "--from", "iut"],
        ["new", "1x", "--from", "iut"],
        ["new", "mean", "--from", "iut"],
    ]
    for words in wrong:
        assert gradecast.run("regulation", *words).returncode == 64
    result = gradecast.run("regulation", "check", tmp_path / "none.md")
    assert (result.returncode, result.stdout) == (1, "")


def test_regulations_begin_with_a_document_that_ships(tmp_path):
    listed = gradecast.run("regulation", "new")
    assert listed.returncode == 0
    assert "uk-honours — " in listed.stdout and len(listed.stdout.splitlines()) == 18
    begun, again = [gradecast.run("regulation", "new", "our_rules", "--from", "uk-honours", cwd=tmp_path) for _ in "ab"]
    assert begun.returncode == 0
    # What is there is never written over.
    assert (again.returncode, again.stdout) == (1, "")
    written = (tmp_path / "our_rules.md").read_text()
    shipped = (DOCUMENTS / "uk-honours.md").read_text()
    assert 'regulation our_rules "' in written
    assert written.replace("regulation our_rules ", "regulation uk_honours ") == shipped
    assert gradecast.run("regulation", "check", tmp_path / "our_rules.md").returncode == 0


def test_two_documents_are_compared_by_article_and_by_their_examples(tmp_path):
    text = (DOCUMENTS / "wam.md").read_text()
    same = gradecast.run("regulation", "diff", DOCUMENTS / "wam.md", DOCUMENTS / "wam.md")
    assert (same.returncode, same.stdout, same.stderr) == (0, "", "")
    heading = next(line for line in text.splitlines() if line.startswith("## "))
    changed = tmp_path / "changed.md"
    place = text.index(heading) + len(heading)
    changed.write_text(text[:place] + "\nA new line." + text[place:])
    result = gradecast.run("regulation", "diff", DOCUMENTS / "wam.md", changed)
    assert (result.returncode, result.stdout) == (0, f"  {heading}\n+ A new line.\n")


def test_a_difference_of_rules_shows_in_the_examples(tmp_path):
    text = (DOCUMENTS / "trimestre.md").read_text()
    documents = {"old": text, "new": text.replace("2 decimals", "1 decimal"), "broken": text.replace("half up", "half")}
    for name, content in documents.items():
        (tmp_path / f"{name}.md").write_text(content)
    result = gradecast.run("regulation", "diff", "old.md", "new.md", cwd=tmp_path)
    assert result.returncode == 0
    assert "- rounding" in result.stdout and "+ rounding" in result.stdout
    assert "Examples of old.md:\n" in result.stdout and " → " in result.stdout
    result = gradecast.run("regulation", "diff", "old.md", "broken.md", cwd=tmp_path)
    assert result.returncode == 0 and "Examples" not in result.stdout
    assert result.stderr == "broken.md has faults, so no examples are compared.\n"
