"""`gradecast regulation` checks a document and works its examples, without a server."""

import json

import gradecast

DOCUMENTS = gradecast.ROOT / "GradingKit" / "Sources" / "RegulationLibrary" / "Documents"
# A resit may stand without the mark that it replaces.
RESITS = """# §1 Result

```rules
regulation resits "Resits" language 1
rounding shown half up, 1 decimal, judged as shown
entry module "Module" statuses excused, absent, pending
    title text
    mark grade in percent
    resit grade in percent optional
figure average in percent shown by shown = mean of (max(mark, resit) otherwise mark) over module
```
"""


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


def test_the_check_tells_of_a_broken_law_with_its_place_and_what_to_write(tmp_path):
    document = tmp_path / "resits.md"
    document.write_text(RESITS.replace("otherwise mark)", "otherwise mark otherwise -10)"))
    result = gradecast.run("regulation", "check", document, "--language", "fr")
    assert (result.returncode, result.stderr) == (1, "1 law is broken\n")
    first, shown = result.stdout.splitlines()
    assert first.startswith(
        "10:8: law_broken: une loi de la notation n’est pas respectée\u00a0: plancher ≤ valeur actuelle ≤ plafond — «\u00a0Average\u00a0»\u00a0: plancher "
    )
    assert first.endswith("ou écrivez `without range` (§1 Result)")
    assert json.loads(shown.removeprefix("  with: "))["entries"]
    document.write_text(RESITS)
    result = gradecast.run("regulation", "check", document)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_rules_are_read_back_in_words(tmp_path):
    result = gradecast.run("regulation", "words", DOCUMENTS / "uk-honours.md", "--language", "fr")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith(
        "§1 Averages of the levels\n  «\u00a0Niveau 5\u00a0» = la moyenne de «\u00a0Note en\u00a0%\u00a0» sur «\u00a0Module\u00a0» où "
    )
    assert (
        "  «\u00a0Diplôme\u00a0»\u00a0:\n    en attente tant que ceci n’est pas vrai\u00a0: il y a au moins une entrée «\u00a0Module\u00a0»"
        in result.stdout
    )
    mistaken = tmp_path / "mistaken.md"
    mistaken.write_text((DOCUMENTS / "uk-honours.md").read_text().replace("of credits by mark", "of credts by mark"))
    result = gradecast.run("regulation", "words", mistaken)
    assert (result.returncode, result.stderr) == (1, "2 faults\n")
    assert "did you mean `credits`?" in result.stdout


def test_the_words_of_the_language_are_listed_as_the_documentation_has_them():
    result = gradecast.run("regulation", "words")
    assert (result.returncode, result.stderr) == (0, "")
    words = result.stdout.split()
    assert {"if", "otherwise", "weighted"} <= set(words) and words == sorted(words)
    for page in ["regulations.md", "regulations-guide.md"]:
        text = (gradecast.ROOT / "docs" / page).read_text()
        section = text.split("lists them): ", 1)[1].split(".\n", 1)[0]
        assert [word.strip("`") for word in section.split()] == words


def test_the_command_says_what_it_takes(tmp_path):
    wrong = [
        [],
        ["check"],
        ["read", "x"],
        ["check", "x", "--seed", "1"],
        ["test", "x", "--count", "0"],
        ["diff", "x"],
        ["words", "x", "y"],
    ]
    wrong += [["table", "x", "y"], ["table", "x", "y", "z", "--language", "it"]]
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
    assert "uk-honours — " in listed.stdout and len(listed.stdout.splitlines()) == 38
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


def test_ends_of_lines_are_no_difference_and_moved_articles_are_one(tmp_path):
    text = (DOCUMENTS / "wam.md").read_text()
    (tmp_path / "windows.md").write_bytes(text.replace("\n", "\r\n").encode())
    same = gradecast.run("regulation", "diff", DOCUMENTS / "wam.md", "windows.md", cwd=tmp_path)
    assert (same.returncode, same.stdout) == (0, "")
    (tmp_path / "old.md").write_text("# A\none\n# B\ntwo\n# C\n")
    (tmp_path / "new.md").write_text("# B\ntwo\n# C\n# A\none\n")
    moved = gradecast.run("regulation", "diff", "old.md", "new.md", cwd=tmp_path)
    assert (moved.returncode, moved.stdout) == (0, "~ # A\n")
    # A letter that is composed otherwise is another text, however alike the two look.
    (tmp_path / "old.md").write_text("# A\none\n# B\n\u00e9\n")
    (tmp_path / "new.md").write_text("# A\none\n# B\ne\u0301\n")
    other = gradecast.run("regulation", "diff", "old.md", "new.md", cwd=tmp_path)
    assert (other.returncode, other.stdout) == (0, "  # B\n- \u00e9\n+ e\u0301\n")


def test_an_example_that_only_one_document_takes_is_a_difference(tmp_path):
    text = (DOCUMENTS / "trimestre.md").read_text()
    (tmp_path / "narrow.md").write_text(text.replace("best 20", "best 14"))
    (tmp_path / "wide.md").write_text(text)
    there = gradecast.run("regulation", "diff", "wide.md", "narrow.md", cwd=tmp_path)
    assert ": accepted → refused\n" in there.stdout
    back = gradecast.run("regulation", "diff", "narrow.md", "wide.md", cwd=tmp_path)
    assert ": refused → accepted\n" in back.stdout


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


SHEET = ";UE11;UE12\nR101;37,5;20\nSAÉ 1;;62,5\n"


def test_a_sheet_takes_the_place_of_a_table(tmp_path):
    (tmp_path / "sheet.csv").write_text(SHEET)
    source = DOCUMENTS / "but-year.md"
    words = ["regulation", "table", source, "coefficients", "sheet.csv"]
    result = gradecast.run(*words, "--to", "ours.md", cwd=tmp_path)
    assert result.returncode == 0, result
    said = result.stdout.splitlines()
    assert said[0] == "semicolon between cells, decimal comma: 2 × 2"
    assert "+     R101     37.5    20" in said and '+     "SAÉ 1"     -  62.5' in said
    assert "-     R101      40    20     -     -" in said
    before, after = source.read_text(), (tmp_path / "ours.md").read_text()
    rest = [line for line in after.splitlines() if line not in [text[2:] for text in said if text.startswith("+ ")]]
    assert rest == [line for line in before.splitlines() if line not in [text[2:] for text in said if text[:2] == "- "]]
    # Nothing is written over, and the same cells change nothing.
    assert gradecast.run(*words, "--to", "ours.md", cwd=tmp_path).returncode == 1
    result = gradecast.run("regulation", "table", "ours.md", "coefficients", "sheet.csv", cwd=tmp_path)
    assert result.stdout.splitlines() == said[:1]


def test_each_cell_that_cannot_stand_in_a_table_is_named(tmp_path):
    (tmp_path / "sheet.csv").write_text(",UE11,ue11\nR101,1.5,x\n")
    words = ["regulation", "table", DOCUMENTS / "but-year.md", "coefficients", "sheet.csv", "--to", "ours.md"]
    result = gradecast.run(*words, cwd=tmp_path)
    assert (result.returncode, result.stderr) == (1, "2 faults\n")
    assert result.stdout.splitlines() == [
        "comma between cells, decimal point: 1 × 2",
        "2:3: “x” is not a number — leave the cell empty where there is none",
        "1:3: “ue11” is declared twice",
    ]
    assert not (tmp_path / "ours.md").exists()
    french = gradecast.run(*words, "--language", "fr", cwd=tmp_path).stdout
    assert "2:3: «\u00a0x\u00a0» n’est pas un nombre" in french
    assert gradecast.run(*words[:3], "none", "sheet.csv", cwd=tmp_path).returncode == 1
    (tmp_path / "sheet.csv").write_text('"never closed')
    unreadable = gradecast.run(*words, cwd=tmp_path)
    assert unreadable.returncode == 1 and "1: the sheet cannot be read" in unreadable.stdout
