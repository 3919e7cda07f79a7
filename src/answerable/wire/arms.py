"""Named arms: the cuts that people run today, to compare with one's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NAMED: Mapping[str, Mapping[str, Any]] = {
    # learn.microsoft.com/azure/search/vector-search-how-to-chunk-documents
    "azure": {
        "cut": [{"by": "tokens", "size": 512, "unit": "tokens", "overlap": 128, "lead": "none"}]
    },
    # docs.aws.amazon.com/bedrock/latest/userguide/kb-chunking.html
    "bedrock": {"cut": [{"by": "sentences", "size": 300, "unit": "tokens", "lead": "none"}]},
    # The console's starting values, as in the samples of the same guide.
    "bedrock-hierarchical": {
        "cut": [
            {
                "by": "hierarchical",
                "size": 300,
                "unit": "tokens",
                "overlap": 60,
                "lead": "none",
                "options": {"parent": 1500},
            }
        ],
        "ask.context.expand": "parent",
    },
    "recursive-400": {
        "cut": [{"by": "recursive", "size": 400, "unit": "tokens", "overlap": 40, "lead": "none"}]
    },
    "recursive-512": {
        "cut": [{"by": "recursive", "size": 512, "unit": "tokens", "overlap": 102, "lead": "none"}]
    },
    # The splitter of many tutorials: python.langchain.com, RecursiveCharacterTextSplitter.
    "characters-1000": {
        "cut": [
            {
                "by": "recursive",
                "size": 1000,
                "unit": "characters",
                "overlap": 200,
                "lead": "none",
            }
        ]
    },
    "whole": {"cut": [{"by": "whole", "size": 0, "lead": "title"}]},
    "pages": {"cut": [{"by": "pages", "size": 0, "lead": "title"}]},
    "headings": {
        "cut": [{"by": "headings", "size": 200, "unit": "tokens", "lead": "title+headings"}]
    },
}
"""Changes to a recipe by arm, in the keys of `--set`; a list under `cut` replaces the rules."""
