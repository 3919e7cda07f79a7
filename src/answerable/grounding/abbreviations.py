"""Words whose point does not end a sentence, and words that like to begin one."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEVER_END = _words(
    "dr mr mrs ms prof st hr fr frl mme mlle dipl ing mag habil vs viz cf e.g i.e eg ie approx "
    "resp incl excl bzw ca vgl evtl ggf inkl exkl sog bspw zzgl abzgl gem lt z.b d.h u.a o.ä "
    "i.d.r s.o s.u np tzw m.in tj sr sra dra p.ej"
)
"""In lower case, without the last point: what follows belongs to the same sentence."""

NUMBERED = _words(
    "no nos nr nrn abs art fig figs eq sec sect ch chap vol pp pg p par para ver rev app tab abb "
    "bd kap ziff lit rn rz anm aufl s bl tel ext ln ref pos str num ann § ust pkt poz rozdz "
    "jan feb mar apr jun jul aug sep sept oct nov dec okt dez"
)
"""What follows belongs to the same sentence when it begins with a digit."""

MAY_END = _words(
    "etc inc ltd co corp jr usw usf u.s a.m p.m u.k ph.d dept est eds gmbh mio mrd min max std"
)
"""These end a sentence when a word that likes to begin one follows."""

STARTERS = _words(
    "the a an this that these those it its he she we you they i if in on at for when while but "
    "and or as to by from with there here what who how why where our your their his her my no "
    "not all each every some any one after before since because however also then please do see "
    "use der die das den dem ein eine es er sie wir ihr ich wenn bei im am auf für mit nach vor "
    "zu und oder aber auch dies diese dieser dieses so dann hier als alle bitte falls nur le la "
    "les un une il elle on nous vous el los las una"
)
"""Words that often begin a sentence, in lower case."""

BEFORE_ORDINAL = _words("am vom zum bis dem der die das den des im beim ab seit jeder jeden jedes")
"""German words after which `3.` followed by a capital is an ordinal, not an end."""
