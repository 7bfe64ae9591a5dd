"""Sections to HTML: one template, autoescape on, data only as variables."""

import re
from functools import cache
from pathlib import Path
from typing import Any

from autointeract import __version__
from autointeract.report.blocks import Figure, Section

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")
"""Characters that HTML does not allow, terminal escapes among them."""


def render(title: str, workspace: str, sections: list[Section]) -> str:
    """The page. Nothing in `sections` is markup but `Figure.svg`, whose texts `svg` has escaped."""
    from markupsafe import Markup

    data = [
        {
            "anchor": section.anchor,
            "title": section.title,
            "blocks": [
                {**block.model_dump(), "svg": Markup(block.svg)} if isinstance(block, Figure) else block.model_dump()
                for block in section.blocks
            ],
        }
        for section in sections
    ]
    html = _template().render(title=title, workspace=workspace, software=f"autointeract {__version__}", sections=data)
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", html)


@cache
def _template() -> Any:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(Path(__file__).with_name("page.html.j2").read_text(encoding="utf-8"))
