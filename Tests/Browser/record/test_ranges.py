"""The positions of the labels of a range."""

import pytest

STAYING = {"student"}

WIDTHS = [1100, 390, 320]

# The positions of the bar, its filled part and the texts below it, from the left.
PLACES = """() => [...document.querySelectorAll('.range')].map(range => {
    const sides = ({left, right}) => ({left, right});
    const text = element => {
        const words = document.createRange();
        words.selectNodeContents(element);
        return sides(words.getBoundingClientRect());
    };
    const [floor, ceiling] = range.querySelector('.range-ends').children;
    return {bar: sides(range.querySelector('.range-line').getBoundingClientRect()),
            filled: sides(range.querySelector('.range-span').getBoundingClientRect()),
            floor: text(floor), ceiling: text(ceiling)};
})"""


def record(person, *categories):
    page = person.new_record("rose-hulman")
    path = f"/v1/records/{page.url.split('/')[-1]}"
    children = [
        {
            "kind": "category",
            "fields": {"category": name, "weight": weight},
            "children": [
                {"kind": "item", "fields": {"title": name, "max": 100, **({"score": score} if score else {})}}
            ],
        }
        for name, weight, score in categories
    ]
    fields = {"title": "Operating Systems", "quarter": 1, "year": 2027, "credits": 4}
    course = {"kind": "course", "fields": fields, "children": children}
    assert person.api("POST", path + "/entries", course)["status"] == 201
    page.locator(".course-open").click()
    page.locator(".course-panel .range").wait_for()
    return page


def places(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    ranges = page.evaluate(PLACES)
    assert ranges
    for place in ranges:
        bar, floor, ceiling = place["bar"], place["floor"], place["ceiling"]
        assert bar["left"] - 1 <= floor["left"] and ceiling["right"] <= bar["right"] + 1, place
        assert floor["right"] < ceiling["left"], place
    return ranges[-1]


def test_labels_stand_at_the_floor_and_the_ceiling(student):
    # In this course, 35 to 65 % are certain.
    page = record(student, ("exams", 50, 70), ("labs", 30, None), ("assignments", 20, 0.001))
    for width in WIDTHS:
        place = places(page, width)
        assert abs(place["floor"]["right"] - place["filled"]["left"]) < 2, (width, place)
        assert abs(place["ceiling"]["left"] - place["filled"]["right"]) < 2, (width, place)


@pytest.mark.parametrize("score", [0.001, 50, 100])
def test_a_settled_figure_keeps_both_labels_apart(student, score):
    page = record(student, ("exams", 100, score))
    for width in WIDTHS:
        place = places(page, width)
        bar, floor, ceiling = place["bar"], place["floor"], place["ceiling"]
        middle = bar["left"] + (bar["right"] - bar["left"]) * score / 100
        nearest = {
            0.001: floor["left"] - bar["left"],
            50: middle - floor["right"],
            100: bar["right"] - ceiling["right"],
        }
        assert abs(nearest[score]) < 16, (width, place)


def test_a_range_over_the_whole_bar_has_its_labels_at_the_ends(student):
    page = record(student, ("exams", 100, None))
    for width in WIDTHS:
        place = places(page, width)
        assert abs(place["floor"]["left"] - place["bar"]["left"]) < 2, (width, place)
        assert abs(place["ceiling"]["right"] - place["bar"]["right"]) < 2, (width, place)
