"""Units and currencies: one name for all spellings, in several languages."""

from __future__ import annotations


def _table(lines: str) -> dict[str, str]:
    table: dict[str, str] = {}
    for line in lines.strip().splitlines():
        name, *words = line.split()
        table |= dict.fromkeys([name, *words], name)
    return table


UNITS = _table(
    """
    percent % per_cent prozent pct procent
    permille ‰ promille
    second seconds sec secs s sekunde sekunden seconde secondes segundos sekund
    minute minutes min mins minuten minuto minutos minut minuty
    hour hours hr hrs h stunde stunden heure heures hora horas godzin godziny
    day days d tag tage tagen tages jour jours día días dia dias dni dzień giorni
    week weeks woche wochen semaine semaines semana semanas tydzień tygodni tygodnie
    month months monat monate monaten monats mois mes meses miesiąc miesięcy miesiące
    year years jahr jahre jahren jahres an ans année années año años rok lat lata
    kilometre km kilometer kilometers kilometres
    metre m meter meters metres
    centimetre cm centimeter centimeters
    millimetre mm millimeter millimeters
    mile miles mi
    foot feet ft
    kilogram kg kilo kilos kilogramm kilograms
    gram g gramm grams
    tonne t tonnes tons ton tonnen
    litre l liter liters litres litern
    millilitre ml milliliter
    ampere A ampere amperes amps amp
    volt V volts
    watt W watts
    kilowatt kW
    bar bars
    degree ° degrees grad
    byte B bytes
    kilobyte kB KB
    megabyte MB
    gigabyte GB
    terabyte TB
    page pages seite seiten
    """
)
"""Spelling to name; symbols of one letter are matched as written."""

CURRENCIES = _table(
    """
    EUR € euro euros eur
    USD $ dollar dollars usd US$
    GBP £ gbp
    CHF chf franken francs
    JPY ¥ 円 yen
    PLN zł pln złotych złote
    CZK kč czk
    INR ₹ inr rupees
    SEK sek
    NOK nok
    DKK dkk
    CNY cny 元 yuan
    pound pounds
    crown crowns kronen
    """
)
"""Spelling to ISO 4217 code (or the plain word where several countries share it)."""
