"""Is the certificate that a host shows valid? The verdict is kept with each page; a strict crawl reads only pages of valid
hosts.

OpenSSL judges the chain, against the trust roots of the system (SSL_CERT_FILE names others), and service_identity the host
name, as for any client that verifies. What differs is only what follows: a crawler reads public pages and sends no secrets, so
that an expired certificate is a fact about a site rather than a danger to its reader (TLS_POLICY=note).
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from OpenSSL import SSL
from OpenSSL.crypto import X509
from service_identity import VerificationError
from service_identity.exceptions import CertificateError
from service_identity.hazmat import DNS_ID, IPAddress_ID, verify_service_identity
from service_identity.pyopenssl import extract_patterns
from twisted.internet import ssl
from twisted.internet.interfaces import IOpenSSLClientConnectionCreator
from twisted.internet.ssl import CertificateOptions
from twisted.web.iweb import IPolicyForHTTPS
from zope.interface import implementer

from focuscrawl.politeness.ip_literals import is_address
from focuscrawl.recent import Recent

if TYPE_CHECKING:
    from twisted.protocols.tls import TLSMemoryBIOProtocol

VALID = "valid"
PROBLEMS = ("name", "expired", "early", "self-signed", "issuer", "weak", "invalid")
"""What a verdict may name, in this order: a certificate of another host, past or before its time, signed by itself or by an
issuer that is not trusted, with a key or digest that is too weak; anything else. Revocation is not checked: that would tell
others what is crawled."""
_CODES = {
    9: "early", 10: "expired", 18: "self-signed", 19: "issuer", 2: "issuer", 20: "issuer", 21: "issuer", 27: "issuer",
    66: "weak", 67: "weak", 68: "weak",
}  # fmt: skip
"""X509_V_ERR_… of OpenSSL's x509_vfy.h."""
_LEGACY = 0x4
"""OP_LEGACY_SERVER_CONNECT: allows connections to old servers that cannot renegotiate safely, as Scrapy does."""
KEPT = 10_000
"""Verdicts that are remembered, one for each host and certificate. Connections are kept alive: the handshake, where a
certificate is judged, may be many answers ago."""


class CertificateJudge:
    """Makes TLS connections, judges the certificates they meet, and remembers the verdicts.

    options: arguments of Twisted's `CertificateOptions`, without the trust root. strict: a connection is refused unless the
    certificate is valid.
    """

    def __init__(self, options: dict[str, Any], *, strict: bool = False) -> None:
        self.strict = strict
        self._given = options
        self._verdicts: Recent[tuple[str, bytes], str] = Recent(KEPT)
        self._refused: dict[str, str] = {}

    @cached_property
    def _options(self) -> CertificateOptions:
        twisted: Any = ssl  # half of it has types
        made: CertificateOptions = twisted.CertificateOptions(trustRoot=twisted.platformTrust(), **self._given)
        made.getContext().set_options(_LEGACY)
        return made

    def connection(self, host: str, protocol: TLSMemoryBIOProtocol) -> SSL.Connection:
        """The connection of one handshake with `host`, a name in ASCII or an IP address."""
        connection = self._options.clientConnectionForTLS(protocol)
        if not is_address(host):
            connection.set_tlsext_host_name(host.encode("ascii"))
        problems: set[str] = set()

        # OpenSSL calls this for each certificate and each problem of the chain, for the host's own (depth 0) last.
        def judge(_: SSL.Connection, certificate: X509, code: int, depth: int, good: int) -> bool:
            if not good:
                problems.add(_CODES.get(code, "invalid"))
            if depth == 0:
                if not _names(certificate, host):
                    problems.add("name")
                self._keep(host, certificate.digest("sha256"), problems)
            return not (self.strict and problems)

        connection.set_verify(SSL.VERIFY_PEER, judge)
        return connection

    def verdict(self, host: str, certificate: Any) -> str:
        """`valid`, or the names of the problems with commas between; empty where no certificate was shown. `certificate`: as in
        Scrapy's `Response.certificate`."""
        return self._verdicts.get((host, certificate.digest("sha256")), "") if certificate is not None else ""

    def refusal(self, host: str) -> str:
        """What was wrong in the last handshake with a host, if it was refused for that; empty otherwise, and when asked
        again."""
        return self._refused.pop(host, "")

    def _keep(self, host: str, digest: bytes, problems: set[str]) -> None:
        verdict = ",".join(name for name in PROBLEMS if name in problems) or VALID
        self._verdicts.note((host, digest), verdict)
        if self.strict and problems:
            self._refused[host] = verdict

    def creatorForNetloc(self, hostname: bytes, port: int) -> _Connector:  # noqa: N802  (Twisted's name)
        """Implements `IPolicyForHTTPS`."""
        return _Connector(self, hostname.decode("ascii"))


class _Connector:
    """The judge for one host, as Twisted wants it."""

    def __init__(self, judge: CertificateJudge, host: str) -> None:
        self._judge = judge
        self._host = host

    def clientConnectionForTLS(self, tlsProtocol: TLSMemoryBIOProtocol) -> SSL.Connection:  # noqa: N802, N803
        """Implements `IOpenSSLClientConnectionCreator`."""
        return self._judge.connection(self._host, tlsProtocol)


implementer(IPolicyForHTTPS)(CertificateJudge)
implementer(IOpenSSLClientConnectionCreator)(_Connector)


def _names(certificate: X509, host: str) -> bool:
    """Whether a certificate is for this host (RFC 9525)."""
    try:
        wanted = IPAddress_ID(host) if is_address(host) else DNS_ID(host)
        verify_service_identity(extract_patterns(certificate), [wanted], [])
    except (VerificationError, CertificateError, ValueError):
        return False
    return True
