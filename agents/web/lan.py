"""Finds the addresses of this computer in its local networks, and draws one as a QR code.

Only private addresses of IPv4 count: a server that listens there cannot be reached from the
internet.
"""

from __future__ import annotations

import io
import ipaddress
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress

from adv_envs.optional import optional_library

SOMEWHERE = "192.0.2.1", 9
"""An address of the internet that nobody has (RFC 5737): nothing is sent there."""

SIOCGIFADDR = 0x8915
"""The request of Linux for the address of a network interface."""


def lan_addresses() -> list[str]:
    """Returns the private addresses of this computer, that of the way to the internet first."""
    return [each for each in dict.fromkeys(_addresses()) if is_private(each)]


def is_private(address: str) -> bool:
    """Returns whether an address of IPv4 is of a local network, and not of this computer alone."""
    found = ipaddress.IPv4Address(address)
    return found.is_private and not (found.is_loopback or found.is_unspecified)


def _addresses() -> Iterator[str]:
    """Yields all addresses of IPv4 that are found; some of them twice."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(SOMEWHERE)
        yield probe.getsockname()[0]
    if sys.platform == "linux":
        yield from _addresses_of_interfaces()
    with suppress(OSError):
        for *_, place in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            yield str(place[0])


def _addresses_of_interfaces() -> Iterator[str]:
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with suppress(OSError):  # it has none
                request = struct.pack("256s", name.encode()[:15])
                answer = fcntl.ioctl(probe.fileno(), SIOCGIFADDR, request)
                yield socket.inet_ntoa(answer[20:24])


def qr_code(text: str) -> str:
    """Returns a QR code in half blocks of Unicode: light on dark.

    ImportError without the library ``segno``.
    """
    segno = optional_library("segno", "a QR code needs", "web")
    drawn = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(out=drawn, border=2, compact=True)
    return drawn.getvalue().rstrip("\n")
