"""The Markdown that is read: CommonMark, GFM tables, footnotes, definitions, admonitions, MDX."""

from __future__ import annotations

from functools import cache

from markdown_it import MarkdownIt
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from answerable.text.blockrules import DEEPEST, directive_plugin, floor_plugin
from answerable.text.jsx import mdx_plugin
from answerable.text.linklabels import label_plugin


@cache
def grammar(mdx: bool) -> MarkdownIt:
    """The parser; stateless between calls. Link targets stay as their author wrote them."""
    # Past `maxNesting` markdown-it-py drops words, so it lies above the floor of our own.
    options = {"html": True, "maxNesting": DEEPEST + 10}
    md = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    md.use(footnote_plugin, inline=False, move_to_end=False)
    md.use(deflist_plugin).use(admon_plugin).use(directive_plugin)
    if mdx:
        md.use(mdx_plugin)
    md.use(floor_plugin).use(label_plugin)
    # Nothing is rendered here: every target is let in, and `inline.Reader.target` decides.
    md.validateLink = lambda url: True  # type: ignore[method-assign]
    md.normalizeLink = lambda url: url  # type: ignore[method-assign]
    md.normalizeLinkText = lambda link: link  # type: ignore[method-assign]
    return md
