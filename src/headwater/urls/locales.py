"""Language codes as they appear in URLs: `en`, `pt-br`, `zh_Hant`."""

from __future__ import annotations

import re

LANGUAGE_CODES = frozenset(
    """aa ab af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee
    el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is
    it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms
    mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk
    sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi
    yo za zh zu""".split()
)

_LOCALE = re.compile(r"([A-Za-z]{2})(?:[-_](?:[A-Za-z]{2}|hans|hant|latn|cyrl|arab|deva|419|001))?", re.IGNORECASE)


def is_locale(segment: str, *, with_region: bool = False) -> bool:
    """Return True if a path segment is a language code; `with_region` accepts only codes with a region or script."""
    match = _LOCALE.fullmatch(segment)
    if not match or match.group(1).lower() not in LANGUAGE_CODES:
        return False
    return len(segment) > 2 or not with_region
