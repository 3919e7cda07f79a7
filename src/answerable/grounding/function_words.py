"""Words that claim nothing by themselves, and words that deny; several languages together."""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTION = _words(
    "the an and or but if so as at by for from in into of off on onto out over to up with within "
    "about after before during until than then that this these those there here it its he she "
    "they them their his her we us our you your my me is are was were be been being am do does "
    "did has have had having will would shall should can could may might must also too very just "
    "which who whom whose what when where while because since per via both either each any some "
    "such one's not no nor never yes according der die das den dem des ein eine einen einem einer "
    "eines und oder aber wenn als auf aus bei beim bis durch für im ins mit nach ohne seit über "
    "um unter vom von vor zu zum zur es er sie wir ihr ich ist sind war waren wird werden wurde "
    "hat haben kann können muss müssen darf dürfen soll sollen auch dass nicht kein keine keinen "
    "keiner ja nein man dies diese dieser dieses diesem gilt gemäß laut le la les un une du de au "
    "aux et ou mais si il elle ils elles nous vous ce cette ces est sont était dans sur pour par "
    "avec sans ne pas non oui que qui el los las una unos del al y pero se su sus son en por con "
    "sin sí lo w z ze na od i a o po dla jest są się nie ten ta te że oraz lub"
)

QUESTION = _words(
    "how many much long often far old what which who whom whose when where why whether "
    "wie viel viele wieviel lang lange oft hoch wer wen wem was wann wo warum welche welcher "
    "welches welchen combien quel quelle quels quelles quand où pourquoi comment qui quoi cuánto "
    "cuánta cuántos cuántas cuál cuándo dónde quién cómo qué ile kiedy gdzie kto co jak który "
    "która które"
)
"""Words that ask: what answers a question need not repeat them."""

CARRIERS = _words(
    "amounts equals total means says states stated costs lasts takes beträgt betragen kostet "
    "dauert lautet heißt liegt steht bedeutet laut source document text quote exactly"
)
"""Verbs that only link a subject to its value."""

NEGATIONS = re.compile(
    r"\b(?:not|no|never|nor|none|neither|cannot|without|nicht|kein\w{0,2}|nie|niemals|nein|ohne|"
    r"pas|jamais|aucun\w?|sans|nunca|jamás|ningún|sin|nie|nigdy|bez|żaden|geen|niet|non)\b"
    r"|n['’]t\b|(?:ない|ません|なかった|なし|ぬ)(?=$|[。、！？\s])|[不没非未]",
    re.I,
)

PLEASANTRIES = re.compile(
    r"(?:hi|hello|hey|thanks|thank you|sure|certainly|of course|you(?:'|’)re welcome|"
    r"good (?:morning|day|evening)|here is (?:the|what i found)|i hope (?:this|that) helps|"
    r"hallo|guten (?:tag|morgen|abend)|danke|gerne?|bitte|bonjour|merci|hola|gracias|"
    r"dzień dobry|dziękuję|こんにちは|ありがとうございます|你好|谢谢)(?:[,!. ]+(?:there|all|you))?",
    re.I,
)
