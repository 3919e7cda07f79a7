"""Words whose point seldom ends a sentence, by how sure that is (all lower case)."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ALWAYS = _words(
    # titles and ranks
    "dr mr mrs ms prof st hr fr frl mme mlle mgr capt col gen gov lt sgt sen rep rev hon mt "
    "dipl ing mag phil habil "
    # English
    "vs viz cf e.g i.e eg ie approx resp incl excl esp "
    # German
    "bzw ca vgl evtl ggf inkl exkl sog bspw zzgl abzgl gem lt betr insb einschl ausschl "
    "z.b d.h u.a o.ä i.d.r s.o s.u u.u "
    # French, Polish, Spanish
    "env éd np tzw m.in tj sra dra p.ej"
)
"""What follows belongs to the same sentence, whatever it is."""

BEFORE_NUMBER = _words(
    "no nos nr nrn abs art fig figs eq eqs sec secs sect ch chap vol pp pg par para ver rev app "
    "tab abb bd kap ziff lit rn rz anm aufl ausg bl tel ext ln op ref pos str num ann "
    "ust pkt poz rozdz "
    "jan feb mar apr jun jul aug sep sept oct nov dec okt dez janv févr avr juil déc"
)
"""What follows belongs to the same sentence when it begins with a digit."""

UNLESS_STARTER = _words(
    "etc inc ltd co corp jr sr bros al usw usf u.s a.m p.m u.k ph.d dept est ed eds gmbh mio mrd "
    "min max std"
)
"""These may end a sentence: they do when the next word is one that likes to begin one."""

STARTERS = _words(
    # English
    "the a an this that these those it its he she we you they i if in on at for when while but "
    "and or as to by from with there here what who how why where our your their his her my no "
    "not all each every some any one once after before since because however also then please "
    "do does see use "
    # German
    "der die das den dem des ein eine einen einem einer es er sie wir ihr ich man wenn bei im am "
    "auf für mit nach vor zu zur zum und oder aber auch dies diese dieser dieses so da dann hier "
    "als alle bitte falls ob nur "
    # French
    "le la les un une des il elle on nous vous ils elles ce cette ces si dans sur pour par avec "
    "et ou mais en au aux "
    # Spanish
    "el los las una"
)
"""Words that often begin a sentence."""

BEFORE_ORDINAL = _words("am vom zum bis dem der die das den des im beim ab seit jeder jeden jedes")
"""German words after which `3.` and a capital are an ordinal with its noun."""

MONTHS = _words(
    "januar jänner februar märz april mai juni juli august september oktober november dezember "
    "janvier février mars avril juin juillet août septembre octobre novembre décembre"
)
"""A one- or two-digit number with a point before one of these is a date."""
