"""SQuAD's JSON (1.1 and 2.0): whole articles as documents, answers as spans in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from answerable.adapters.formats.lines import identifier, parsed
from answerable.errors import InputError, NotFound
from answerable.records.docs import Span
from answerable.records.evals import Evidence, GoldenItem

_GAP = "\n\n"


def read(path: Path) -> tuple[tuple[GoldenItem, ...], dict[str, str], tuple[str, ...]]:
    """The items, the article texts by uri, and what could not be used.

    An article is its paragraphs with a blank line between; its uri is its title with `_` for
    blanks. Every reference answer's place is a way of answering; `is_impossible` questions are
    unanswerable. Raises NotFound or InputError for a file that is not there or not SQuAD.
    """
    try:
        whole = parsed(path.read_text(encoding="utf-8-sig"))
        articles = whole["data"]
    except FileNotFoundError as fault:
        raise NotFound(f"no file {path}") from fault
    except (OSError, InputError, ValueError, KeyError, TypeError) as fault:
        raise InputError(f"{path} is not SQuAD: {fault}", 'its top has a list "data"') from fault
    problems: list[str] = []
    items: dict[str, GoldenItem] = {}
    texts: dict[str, str] = {}
    for number, article in enumerate(articles if isinstance(articles, list) else [], 1):
        try:
            _article(article, number, items, texts, problems)
        except (KeyError, TypeError, AttributeError) as fault:
            problems.append(f"article {number}: {type(fault).__name__} {fault}")
    if not items:
        raise InputError(f"{path} holds no question", problems[0] if problems else "it is empty")
    return tuple(items.values()), texts, tuple(problems)


def _article(
    article: dict[str, Any],
    number: int,
    items: dict[str, GoldenItem],
    texts: dict[str, str],
    problems: list[str],
) -> None:
    uri = "_".join(str(article.get("title") or f"article {number}").split())
    if uri in texts:
        problems.append(f"article {number}: {uri!r} stands twice; the first is kept")
        return
    parts: list[str] = []
    at = 0
    for place, paragraph in enumerate(article["paragraphs"], 1):
        context = paragraph.get("context") if isinstance(paragraph, dict) else None
        if not isinstance(context, str):
            problems.append(f"{uri}: paragraph {place} has no context")
            continue
        rows = paragraph.get("qas")
        for row in rows if isinstance(rows, list) else ():
            try:
                item = _question(row, uri, context, at, problems)
            except (KeyError, TypeError, AttributeError) as fault:
                problems.append(f"{uri}: question of paragraph {place}: {fault!r}")
                continue
            if item and item.id in items:
                problems.append(f"question {item.id!r} stands twice; the first is kept")
            elif item:
                items[item.id] = item
        parts.append(context)
        at += len(context) + len(_GAP)
    texts[uri] = _GAP.join(parts)


def _question(
    row: dict[str, Any], uri: str, context: str, at: int, problems: list[str]
) -> GoldenItem | None:
    name, question = identifier(row.get("id")), row.get("question")
    if name is None or not isinstance(question, str) or not question.strip():
        problems.append(f"{uri}: a question needs id and question")
        return None
    if row.get("is_impossible"):
        return GoldenItem(name, question, answerable=False)
    ways: dict[Evidence, None] = {}
    for answer in row["answers"]:
        text, start = answer["text"], answer["answer_start"]
        if not text or start < 0 or context[start : start + len(text)] != text:
            problems.append(f"question {name!r}: {text!r} is not at {start} of its paragraph")
            continue
        ways[Evidence(uri, text, Span(at + start, at + start + len(text)))] = None
    places = [(one,) for one in ways]
    answers = tuple(dict.fromkeys(one.quote for one in ways))
    return GoldenItem(name, question, places[0] if places else (), tuple(places[1:]), answers)
