import re
import xml.etree.ElementTree as ET

import pytest

import noiseless as nl

MADE = [
    (nl.calibrate(nl.Mean(300, 0, 60), bits=2), 4),
    (nl.calibrate(nl.Mean(300, 0, 60), bits=0), 1),
    (nl.calibrate(nl.Sum(3, domain=nl.Codes(9)), bits=1), 2),
    (nl.calibrate(nl.Max(9, domain=nl.Values([0, 1, 5])), bits=1), 2),
    (nl.calibrate(nl.Histogram(9, "abc"), bits=3), 3),
    (nl.calibrate(nl.Identity(0, 1), bits=10), 14),
]


@pytest.mark.parametrize(("made", "touched"), MADE)
def test_as_many_bins_are_touched_as_answers_are_possible(made, touched):
    root = ET.fromstring(made.picture())
    fills = [rect.get("fill") for rect in root.iter("{http://www.w3.org/2000/svg}rect")]
    assert fills.count("#7fb3d5") == touched
    (bar,) = root.iter("{http://www.w3.org/2000/svg}line")
    assert float(bar.get("x1")) < float(bar.get("x2"))


def test_mechanisms_show_themselves():
    html = MADE[0][0]._repr_html_()
    assert html.startswith("<svg")
    assert re.search("at most 4 different answers", html)
