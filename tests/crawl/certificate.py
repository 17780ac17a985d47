"""TLS on loopback."""

from __future__ import annotations

import datetime
import ssl
from collections.abc import Mapping
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

DAY = datetime.timedelta(days=1)


def certified(folder: Path, host: str) -> ssl.SSLContext:
    """A server's context with a certificate that nobody has signed."""
    return _context(folder / "key.pem", *_signed(host, []))


class Authority:
    """Signs certificates; `file`: what SSL_CERT_FILE is to name."""

    def __init__(self, folder: Path, name: str = "Authority") -> None:
        self._folder = folder
        self._key, self._own = _signed(name, [x509.BasicConstraints(True, None)])
        self.file = folder / "authority.pem"
        self.file.write_bytes(self._own.public_bytes(serialization.Encoding.PEM))

    def context(self, host: str, name: str = "", until: datetime.timedelta = DAY) -> ssl.SSLContext:
        """A server's context for `host`; `name`: what its certificate says instead; `until`: its end, from now."""
        names = x509.SubjectAlternativeName([x509.DNSName(name or host)])
        key, signed = _signed(host, [names], until, (self._key, self._own.subject))
        return _context(self._folder / f"{host}.pem", key, signed)


def by_name(contexts: Mapping[str, ssl.SSLContext]) -> ssl.SSLContext:
    """One context for several hosts, chosen by the name that the client sends."""
    first = next(iter(contexts.values()))

    def choose(connection: ssl.SSLObject | ssl.SSLSocket, name: str | None, _: ssl.SSLContext) -> None:
        connection.context = contexts.get(name or "", first)

    first.sni_callback = choose
    return first


_Key = ec.EllipticCurvePrivateKey


def _signed(
    host: str, extensions: list[x509.ExtensionType], until: datetime.timedelta = DAY, by: tuple[_Key, x509.Name] | None = None
) -> tuple[_Key, x509.Certificate]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, host)])
    signer, issuer = by or (key, name)
    end = datetime.datetime.now(datetime.UTC) + until
    made = x509.CertificateBuilder(issuer, name, key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(end - 2 * DAY).not_valid_after(end)
    for extension in extensions:
        made = made.add_extension(extension, critical=isinstance(extension, x509.BasicConstraints))
    return key, made.sign(signer, hashes.SHA256())


def _context(path: Path, key: _Key, certificate: x509.Certificate) -> ssl.SSLContext:
    secret = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path.write_bytes(secret + certificate.public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context
