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
    assert f"different    I6: internship at 7.5\n  line {line}: professional = 9.8: 981/100 (§4.2 Overall average)\n" in result.stdout


def test_the_command_says_what_it_takes(tmp_path):
    for words in ([], ["check"], ["read", "x"], ["check", "x", "--seed", "1"], ["test", "x", "--count", "0"]):
        assert gradecast.run("regulation", *words).returncode == 64
    result = gradecast.run("regulation", "check", tmp_path / "none.md")
    assert (result.returncode, result.stdout) == (1, "")
