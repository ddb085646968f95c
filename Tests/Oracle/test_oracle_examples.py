"""The oracle against the worked examples, whose results were computed by hand."""

import pytest

from oracle import differences, evaluate, examples, fault_differences


@pytest.mark.parametrize("name", examples.ALL)
def test_the_oracle_gives_the_worked_example(name):
    request, expected = examples.ALL[name]
    answer = evaluate(request)
    if "faults" in expected:
        assert fault_differences(expected["faults"], answer.get("faults", [])) == []
    else:
        assert "standing" in answer, answer
        assert differences(expected, answer["standing"]) == []
