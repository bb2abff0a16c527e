"""Generate text that resembles URLs closely enough to reach the rules behind the parser."""

from __future__ import annotations

from hypothesis import strategies as st

_HOSTS = st.sampled_from(
    "example.com www.example.com EXAMPLE.com:443 127.0.0.1 [::1]:80 u:p@h münchen.de xn-- a..b h.".split()
)
_PIECES = st.sampled_from(
    [*"/.%?&=#@:;aBé \\\t\x00\ud800+1-_~|[]", *"// .. %2e %41 %2F %% 34 utm_x=1 www. .pdf https://".split()]
)


def url_like() -> st.SearchStrategy[str]:
    """Return a strategy for a scheme, a host and difficult parts, and sometimes any text."""
    schemes = st.sampled_from(["http://", "https://", "HTTP:", "https:/", "//", "ftp://", ""])
    tails = st.lists(_PIECES, max_size=12).map("".join)
    return st.one_of(st.tuples(schemes, _HOSTS, tails).map("".join), st.text(max_size=40))
