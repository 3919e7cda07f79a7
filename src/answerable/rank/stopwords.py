"""Words that say nothing about the subject, by language."""

from __future__ import annotations

# English: the 33 words of Lucene's EnglishAnalyzer. The others are short tables of articles,
# prepositions, conjunctions, pronouns and auxiliaries written for this project.
_TABLES = {
    "en": "a an and are as at be but by for if in into is it no not of on or such that the their "
    "then there these they this to was will with",
    "de": "aber als am an auch auf aus bei bin bis da das dass dem den der des die doch du durch "
    "ein eine einem einen einer eines er es für hat ich ihr im in ist ja man mit nach nicht noch "
    "nur ob oder sein sich sie sind so um und vom von vor war was wenn wer wie wir wird zu zum zur",
    "fr": "à au aux avec ce ces cette d dans de des du elle en est et eux il ils je l la le les "
    "leur lui mais ne nous on ou où par pas pour qu que qui s sa se ses si son sont sur ta te tu "
    "un une vous y",
    "es": "a al como con de del e el ella en entre es esta este esto ha la las le les lo los más "
    "mi no nos o para pero por que se ser si sin sobre son su sus te un una uno y ya",
    "it": "a ad al alla anche che chi ci come con da dal dalla de dei del della delle di e ed è "
    "gli ha i il in io la le lei lo loro ma mi nel nella non o per più quale se si sono su sul "
    "sulla tra un una uno",
    "pt": "a ao aos as até com como da das de do dos e é ela ele em entre era essa esse esta este "
    "eu foi há isso já lhe mais mas na nas no nos não o os ou para pela pelo por que se sem ser "
    "seu só sua são também um uma",
    "nl": "aan al als bij dan dat de den der die dit door een en er het hij ik in is je maar met "
    "na naar niet nog of om onder onze ook op over te tot uit van voor was wat we wel wie wij "
    "wordt ze zich zij zijn zo",
    "sv": "att av de deras dem den det dig din du efter ej eller en ett för från han har hon hur "
    "i in inte jag kan man med men mig mot ni nu när och om oss på sig sin ska som så till "
    "under upp ut var vi vid vill än är",
    "da": "af alle at blev da de dem den der det dig din du efter ej eller en er et for fra "
    "ham han har hun hvad i ikke ind jeg kan man med men mig mod nu når og om op os over på sig "
    "sin skal som så til ud var ved vi vil",
    "no": "at av ble da de deg dem den der det din du eller en enn er et etter for fra ham han har "
    "hun hva i ikke inn jeg kan man med men meg mot ned nå når og om opp oss over på seg sin "
    "skal som så til ut var ved vi vil å",
    "fi": "ei eikä ennen että hän he ja jo joka jos kuin kun me mikä minä mutta myös ne niin nyt "
    "ole oli on ovat se sekä sen siellä siitä sillä sinä tai te tämä vaan vai voi",
    "ru": "а без бы был была были было быть в во вот все вы для до его ее если есть еще же за и из "
    "или им их к как ко когда ли меня мне мы на над не него нет но о об он она они от по под при с "
    "со так также то того тоже только у уже чем что чтобы это этот я",
}

_SETS = {language: frozenset(words.split()) for language, words in _TABLES.items()}


def stop_words(language: str) -> frozenset[str]:
    """The stop words of an ISO 639-1 language, case folded; none for languages without a table."""
    return _SETS.get(language, frozenset())
