"""The drawings of realism and lineage: what is beyond chance is filled, ends of the axis hold, names are escaped."""

import re

from autointeract.report.dots import HIGH, LOW, Dot, ratios, tree
from autointeract.report.svg import COLORS


def dot(value: float, filled: bool) -> Dot:
    return Dot(series="a", value=value, low=value / 2, high=value * 2, filled=filled)


def test_dots_lie_where_their_ratio_is_and_are_filled_beyond_chance() -> None:
    drawing = ratios([("<one>", 1.4, [dot(1.0, False)]), ("two", 1.0, [dot(4.0, True)])], "x", ["a"])
    places = [(float(x), fill) for x, fill in re.findall(r'cx="([\d.]+)" cy="[\d.]+" r="3.5".*?fill="(.*?)"', drawing)]
    ticks = {text: float(x) for x, text in re.findall(r'<text x="([\d.]+)" y="[\d.]+" class="t m">([\d.]+)<', drawing)}
    assert places == [(ticks["1"], "#fff"), (ticks["4"], COLORS[0])]
    assert "&lt;one&gt;" in drawing and "<one>" not in drawing


def test_what_lies_outside_the_axis_is_drawn_at_its_end() -> None:
    ends = [ratios([("m", 1.0, [dot(value, True)])], "x", ["a"]) for value in (1e9, HIGH, 0.0, LOW)]
    places = [re.findall(r'cx="([\d.]+)" cy="[\d.]+" r="3.5"', text)[0] for text in ends]
    assert places[0] == places[1] and places[2] == places[3] and places[0] != places[2]


def test_a_tree_joins_each_candidate_to_its_parent_and_fills_the_chosen() -> None:
    drawing = tree([(None, 0, 0.5), (0, 30, 0.6), (0, 60, 0.55)], 1, "rollouts")
    circles = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="9" fill="(.*?)"', drawing)
    assert [fill for _, _, fill in circles] == ["#fff", COLORS[1], "#fff"]
    lines = re.findall(r'<line x1="([\d.]+)" y1="([\d.]+)" x2="([\d.]+)" y2="([\d.]+)" stroke="#777"', drawing)
    assert lines == [(*circles[0][:2], *circle[:2]) for circle in circles[1:]]
    assert float(circles[1][1]) < float(circles[2][1]) < float(circles[0][1])  # better is higher
    assert "<circle" in tree([(None, 0, 0.5)], None, "x")  # a seed alone has no span
