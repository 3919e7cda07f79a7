"""Source code to canonical text: code blocks cut at the blank lines between definitions."""

from __future__ import annotations

import re

from answerable.records.docs import Document, Known, RawDoc
from answerable.text.canonical import Canvas
from answerable.text.decode import charset_of, decode

LANGUAGES = {
    "bash": "bash", "c": "c", "cc": "cpp", "cfg": "ini", "clj": "clojure", "cpp": "cpp",
    "cs": "csharp", "css": "css", "dart": "dart", "erl": "erlang", "ex": "elixir",
    "exs": "elixir", "f90": "fortran", "go": "go", "gradle": "groovy", "groovy": "groovy",
    "h": "c", "hpp": "cpp", "hs": "haskell", "ini": "ini", "java": "java", "jl": "julia",
    "js": "javascript", "json": "json", "jsx": "jsx", "kt": "kotlin", "lua": "lua",
    "mjs": "javascript", "ml": "ocaml", "php": "php", "pl": "perl", "proto": "protobuf",
    "ps1": "powershell", "py": "python", "pyi": "python", "r": "r", "rb": "ruby", "rs": "rust",
    "scala": "scala", "scss": "scss", "sh": "bash", "sql": "sql", "svelte": "svelte",
    "swift": "swift", "tf": "hcl", "toml": "toml", "ts": "typescript", "tsx": "tsx",
    "vue": "vue", "yaml": "yaml", "yml": "yaml", "zig": "zig", "zsh": "bash",
}  # fmt: skip
"""The name of the language by file name extension."""

LONG = 1500
"""Characters up to which a file, or a run of neighbouring groups, stays one block."""

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_CLOSERS = re.compile(r"[)\]}]|(?:end|else|elif|except|finally|catch|fi|done|esac)\b")


def parse(raw: RawDoc, known: Known) -> Document:
    """A source file as a document titled by its name; every character of code is kept.

    The `inner` spans of the blocks, put together, are the file. InputError for binary content.
    """
    decoded = decode(raw.body, charset_of(raw.media_type))
    name = raw.uri.rstrip("/").rsplit("/", 1)[-1]
    stem, point, extension = name.rpartition(".")
    lang = LANGUAGES.get(extension.lower(), "") if stem and point else ""
    canvas = Canvas()
    for note in decoded.notes:
        canvas.note(note)
    for group in _groups(decoded.text):
        canvas.code(group, lang)
    return canvas.finish(raw, "code", name)


def _groups(text: str) -> list[str]:
    if not text.strip():
        return []
    if len(text) <= LONG:
        return [text]
    groups: list[str] = []
    current: list[str] = []
    blank = False
    for line in _LINE.findall(text):
        starts = blank and not line[0].isspace() and not _CLOSERS.match(line)
        if starts and current:
            groups.append("".join(current))
            current = []
        current.append(line)
        blank = not line.strip()
    groups.append("".join(current))
    return _joined(groups)


def _joined(groups: list[str]) -> list[str]:
    out = [groups[0]]
    for group in groups[1:]:
        if len(out[-1]) + len(group) <= LONG or not out[-1].strip():
            out[-1] += group
        else:
            out.append(group)
    return out
