"""The table of parts: family, name, and where each is found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module
from typing import Any

from answerable.errors import ConfigError
from answerable.records.recipe import CutRule, Options

BUILTIN: Mapping[str, Mapping[str, str]] = {
    "parser": {
        "markdown": "answerable.text.parsers.markdown:parse",
        "html": "answerable.text.parsers.html:parse",
        "storage": "answerable.text.parsers.storage:parse",
        "plain": "answerable.text.parsers.plain:parse",
        "code": "answerable.text.parsers.code:parse",
        "table": "answerable.text.parsers.table:parse",
        "pdf": "answerable.text.parsers.pdf:parse",
        "docx": "answerable.text.parsers.docx:parse",
        "xlsx": "answerable.text.parsers.xlsx:parse",
        "pptx": "answerable.text.parsers.pptx:parse",
        "odt": "answerable.text.parsers.odf:parse",
        "ods": "answerable.text.parsers.odf:parse_sheets",
        "odp": "answerable.text.parsers.odf:parse_slides",
        "epub": "answerable.text.parsers.epub:parse",
        "mail": "answerable.text.parsers.mail:parse",
        "old": "answerable.text.parsers.ooxml.old:parse",
    },
    "cutter": {
        "whole": "answerable.text.cutters.whole:Whole",
        "words": "answerable.text.cutters.words:Words",
        "tokens": "answerable.text.cutters.tokens:Tokens",
        "recursive": "answerable.text.cutters.recursive:Recursive",
        "paragraphs": "answerable.text.cutters.paragraphs:Paragraphs",
        "sentences": "answerable.text.cutters.sentences:Sentences",
        "headings": "answerable.text.cutters.headings:Headings",
        "pages": "answerable.text.cutters.pages:Pages",
        "semantic": "answerable.text.cutters.semantic:Semantic",
        "hierarchical": "answerable.text.cutters.hierarchical:Hierarchical",
    },
    "analyzer": {"standard": "answerable.rank.analyze:Analyzer"},
    "embedder": {"minilm": "answerable.adapters.models.minilm:MiniLM"},
    "chat": {},
    "source": {
        "folder": "answerable.adapters.sources.local:make_folder",
        "file": "answerable.adapters.sources.local:make_folder",
        "jsonl": "answerable.adapters.sources.local:make_jsonl",
        "confluence": "answerable.adapters.sources.confluence.source:make",
        "git": "answerable.adapters.sources.git:make",
        "web": "answerable.adapters.sources.web:make",
    },
    "target": {
        "confluence": "answerable.adapters.sources.confluence.source:options_of",
        "git": "answerable.adapters.sources.git:options_of",
        "web": "answerable.adapters.sources.web:options_of",
    },
    "around": {"around": "answerable.adapters.sources.around:Around"},
    "webhook": {"confluence": "answerable.adapters.sources.confluence.webhook:read_notice"},
    "remote": {
        "s3": "answerable.adapters.remotes.s3:S3Remote",
        "branch": "answerable.adapters.remotes.branch:BranchRemote",
    },
    "gate": {"golden": "answerable.wire.gating:golden_gate"},
    "store": {"embedded": "answerable.adapters.stores.embedded.store:EmbeddedStore"},
    "database": {
        "sql": "answerable.adapters.database:Database",
        "source": "answerable.adapters.database:SourceRow",
    },
    "base": {
        "folder": "answerable.wire.base:open_base",
        "bring": "answerable.wire.sync:bring",
        "cut": "answerable.wire.cutting:make_cut",
    },
    "clock": {"system": "answerable.adapters.clock:SystemClock"},
    "languages": {"detected": "answerable.adapters.languages:detect"},
}

MEDIA_TYPES: Mapping[str, str] = {
    "text/markdown": "markdown",
    "text/html": "html",
    "application/x-confluence-storage": "storage",
    "text/plain": "plain",
    "text/csv": "table",
    "application/pdf": "pdf",
    "text/x-source": "code",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
    "application/vnd.oasis.opendocument.text": "odt",
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
    "application/vnd.oasis.opendocument.presentation": "odp",
    "application/epub+zip": "epub",
    "message/rfc822": "mail",
    "application/x-ole-storage": "old",
}

_OWN_KEYS = {"cutter": "ingest.cut", "analyzer": "ingest.analyzer", "embedder": "settings"}
"""Where the values that a part is given besides its options are set."""


@cache
def load(family: str, name: str) -> Any:
    """The part `name` of a family, or any `module:Name`; ConfigError lists what there is."""
    target = name if ":" in name else BUILTIN[family].get(name)
    if target is None:
        raise ConfigError(
            f"no {family} named {name!r}",
            f"one of: {', '.join(BUILTIN[family])}, or a 'module:Name' of your own",
        )
    module, _, attribute = target.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as fault:
        raise ConfigError(f"{family} {name!r} cannot be loaded: {fault}") from fault


def build(family: str, name: str, options: Options = (), **given: Any) -> Any:
    """The part made with its options; an unknown option is a ConfigError with those allowed."""
    part = load(family, name)
    if is_dataclass(part):
        allowed = {field.name for field in fields(part)}
        for key, value in options:
            if key not in allowed:
                raise ConfigError(
                    f"{family} {name!r} has no option {key!r} (= {value!r})",
                    f"allowed: {', '.join(sorted(allowed - set(given))) or 'none'}",
                )
            if key in given:
                raise ConfigError(
                    f"{family} {name!r}: {key} = {value!r} does not belong into its options",
                    f"set {_OWN_KEYS.get(family, family)}.{key} instead",
                )
    try:
        return part(**given, **dict(options))
    except TypeError as fault:
        raise ConfigError(f"{family} {name!r}: {fault}") from fault


def build_cutter(rule: CutRule, similarity: Any = None) -> Callable[..., Any]:
    """The cutter of a rule; `similarity` goes to one that compares sentences."""
    cutter = load("cutter", rule.by)
    allowed = {field.name for field in fields(cutter)}
    given = {"size": rule.size, "overlap": rule.overlap, "similarity": similarity}
    if "similarity" in allowed and similarity is None:
        raise ConfigError(f"cutter {rule.by!r} compares sentences by a model", "none is at hand")
    return build(  # type: ignore[no-any-return]
        "cutter", rule.by, rule.options, **{k: v for k, v in given.items() if k in allowed}
    )


def parser_of(media_type: str) -> str:
    """The parser's name for a media type, whatever its parameters; ConfigError if there is none."""
    media_type = media_type.partition(";")[0]
    if media_type not in MEDIA_TYPES:
        raise ConfigError(f"no parser for {media_type!r}", f"one of: {', '.join(MEDIA_TYPES)}")
    return MEDIA_TYPES[media_type]


def names(family: str) -> Sequence[str]:
    """The built-in names of a family."""
    return tuple(BUILTIN[family])
