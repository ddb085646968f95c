"""Laws that hold for every record, tried on random ones, and the numbers the oracle is made of."""

import decimal
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle import evaluate
from oracle.exact import NotANumber, TooPrecise, display, read, rounded
from oracle.generate import requests

DECIMAL_MODES = {
    "halfUp": decimal.ROUND_HALF_UP,
    "halfEven": decimal.ROUND_HALF_EVEN,
    "halfDown": decimal.ROUND_HALF_DOWN,
    "ceiling": decimal.ROUND_CEILING,
    "floor": decimal.ROUND_FLOOR,
    "truncate": decimal.ROUND_DOWN,
}


def figures(standing):
    """Every figure of a standing with its name."""
    yield from standing["figures"].items()
    for entry in standing["entries"].values():
        yield from entry.get("figures", {}).items()


def exceeds(entries):
    """Whether any grade of a tree is above its maximum."""
    return any(
        Fraction(str(entry["fields"].get("grade", 0)).replace(",", ".")) > 100 or exceeds(entry.get("children", []))
        for entry in entries
    )


# Calculates 1,500 records in Python.
@pytest.mark.slow("tries the law on 1,500 random records; fewer meet fewer of the rules together")
@pytest.mark.parametrize("scheme", ["chalkboard", "rose-hulman", "iut"])
def test_the_floor_is_never_above_the_ceiling_and_the_current_figure_is_between(scheme):
    for request in requests(scheme, 1500, "laws", spoilt=0):
        extra = exceeds(request["entries"])
        for name, figure in figures(evaluate(request)["standing"]):
            if figure.get("floorExact") is None:
                continue
            floor, ceiling = Fraction(figure["floorExact"]), Fraction(figure["ceilingExact"])
            assert floor <= ceiling, (name, request)
            if figure["exact"] is not None and not extra:
                assert floor <= Fraction(figure["exact"]) <= ceiling, (name, request)


# Calculates 600 records in Python.
@pytest.mark.slow("evaluates 300 random records in two orders; fewer meet fewer of the rules together")
@pytest.mark.parametrize("scheme", ["chalkboard", "rose-hulman", "iut"])
def test_the_order_of_entries_never_changes_a_figure(scheme):
    def turned(entries):
        return [entry | {"children": turned(entry.get("children", []))} for entry in reversed(entries)]

    for request in requests(scheme, 300, "order", spoilt=0):
        there = evaluate(request)["standing"]
        back = evaluate(request | {"entries": turned(request["entries"])})["standing"]
        assert {name: back[name] for name in ("figures", "entries", "outcomes")} == {
            name: there[name] for name in ("figures", "entries", "outcomes")
        }


@given(
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**6), max_value=10**6, places=6),
    st.sampled_from(sorted(DECIMAL_MODES)),
    st.integers(0, 4),
)
def test_rounding_agrees_with_the_decimal_module(value, mode, scale):
    expected = value.quantize(Decimal(1).scaleb(-scale), rounding=DECIMAL_MODES[mode])
    assert rounded(Fraction(value), {"rounding": mode, "scale": scale}) == Fraction(expected)
    shown = display(Fraction(value), {"rounding": mode, "scale": scale})
    assert Fraction(shown) == Fraction(expected)
    assert len(shown.partition(".")[2]) == scale


def test_a_step_may_be_a_half():
    rule = {"rounding": "halfUp", "step": "1/2"}
    assert [display(Fraction(text), rule) for text in ("12.24", "12.25", "12.74", "-0.25")] == [
        "12.0",
        "12.5",
        "12.5",
        "-0.5",
    ]


@pytest.mark.parametrize("text", ["NaN", "Infinity", "1e999", "+1", "1,000", "", " ", "1.", ".5", "--1", "١"])
def test_what_is_no_plain_decimal_is_refused(text):
    with pytest.raises(NotANumber):
        read(text)


def test_a_comma_is_read_where_the_field_says_so():
    assert read("12,5", comma=True) == Fraction(25, 2)
    with pytest.raises(NotANumber):
        read("12,5")
    with pytest.raises(TooPrecise):
        read("0.00001")
