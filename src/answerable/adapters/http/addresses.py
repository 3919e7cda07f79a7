"""Which network addresses are outside, whatever notation they are written in."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

# IANA special-purpose registries (RFC 6890) where Python's versions differ or say nothing.
_NEVER = tuple(
    map(
        ip_network,
        (
            "0.0.0.0/8",
            "100.64.0.0/10",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "240.0.0.0/4",
            "2001::/23",
            "2001:db8::/32",
            "3fff::/20",
        ),
    )
)
_UNICAST = ip_network("2000::/3")
_TRANSLATED = ip_network("64:ff9b::/96")
_COMPATIBLE = ip_network("::/96")
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")

Address = IPv4Address | IPv6Address


def why_inside(address: Address, *, private: bool = False) -> str:
    """Why an address is not one of the public internet, '' when it is.

    Global unicast only; an IPv4 address inside an IPv6 one (mapped, compatible, 6to4, NAT64,
    Teredo, ISATAP) must be outside too. `private` also lets loopback, private, shared and
    unique-local ones through, but never link-local (where clouds keep their metadata), multicast,
    unspecified or reserved ones.
    """
    if isinstance(address, IPv6Address):
        inner = _within(address)
        if inner is not None:
            return why_inside(inner, private=private)
    if address.is_unspecified:
        return "unspecified"
    if address.is_multicast:
        return "multicast"
    if address.is_link_local:
        return "link-local"
    if private and (address.is_loopback or address.is_private or _shared(address)):
        return ""
    if address.is_loopback:
        return "loopback"
    if any(address.version == net.version and address in net for net in _NEVER):
        return "shared or reserved"
    if not address.is_global:
        return "private"
    if isinstance(address, IPv6Address) and address not in _UNICAST:
        return "not global unicast"
    return ""


def written(host: str) -> Address | None:
    """The address that `host` (lower case, ASCII) spells, None when it is a name.

    IPv6 with or without brackets, and every form of inet_aton: 1 to 4 parts, decimal, octal or
    hexadecimal, as the WHATWG URL standard reads them (a final dot counts for nothing). ValueError
    for what ends like such a number and is none.
    """
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    if ":" in bare:
        address = ip_address(bare)
        if isinstance(address, IPv6Address) and address.scope_id is not None:
            raise ValueError(f"{host}: an address with a zone")
        return address
    parts = bare.removesuffix(".").split(".")
    if not _NUMBER.fullmatch(parts[-1]):
        return None
    if len(parts) > 4 or not all(map(_NUMBER.fullmatch, parts)):
        raise ValueError(f"{host}: neither a name nor an address")
    *heads, last = map(_value, parts)
    if any(head > 255 for head in heads) or last >= 256 ** (4 - len(heads)):
        raise ValueError(f"{host}: not an address")
    return IPv4Address(sum(head << (24 - 8 * at) for at, head in enumerate(heads)) + last)


def _value(part: str) -> int:
    if part.startswith("0x"):
        return int(part[2:] or "0", 16)
    # A number with a leading zero is octal; with digits beyond 7 it is no number at all.
    return int(part, 8) if len(part) > 1 and part.startswith("0") else int(part)


def _within(address: IPv6Address) -> IPv4Address | None:
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    low = IPv4Address(int(address) & 0xFFFFFFFF)
    isatap = (int(address) >> 32) & 0xFFFFFFFF in (0x00005EFE, 0x02005EFE)
    translated = address in _TRANSLATED
    compatible = address in _COMPATIBLE and int(address) > 0xFFFF
    return low if translated or compatible or isatap else None


def _shared(address: Address) -> bool:
    return address.version == 4 and address in ip_network("100.64.0.0/10")
