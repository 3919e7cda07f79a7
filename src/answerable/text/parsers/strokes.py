"""What each HTML tag does to the pen, and drawing a text of HTML with it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from answerable.text.canonical import Canvas
from answerable.text.parsers.code import code_block
from answerable.text.parsers.pen import KEEP_ALL, KEEP_CONTENT, Action, Nest, Pen
from answerable.text.parsers.skip import Jump
from answerable.text.parsers.tables import TABLE_ACTIONS, close_table, layouts
from answerable.text.parsers.tokens import (
    BREAK,
    LINK_END,
    PICTURE,
    Tags,
    attribute,
    attributes,
    escape,
)
