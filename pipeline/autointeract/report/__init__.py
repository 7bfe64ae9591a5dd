"""The HTML report: one self-contained page that says what a workspace holds, and what cannot be claimed from it.

Comes in: `stages/*.json` and the datasets. Goes out: `<workspace>/reports/index.html`, with inline SVG and CSS, no
script and no external request. All data is escaped; none is ever a template. Makes no model call.
"""
