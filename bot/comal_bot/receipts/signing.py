"""Ed25519: the key that signs receipts, and what its public half says of a signature.

What reads and writes keys is imported when it is needed: a host that signs nothing does without.
Source: RFC 8032 (Ed25519), RFC 8410 (its keys in PKCS #8 and SubjectPublicKeyInfo).
"""

import base64
import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from comal_runtime.audit.keys import make_once, warn_if_open
from comal_runtime.errors import ComalError

from ..settings import Settings

if TYPE_CHECKING:  # the library is not ours, and heavy
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )

ALGORITHM: Final = "ed25519"
_PREFIX: Final = f"{ALGORITHM}:"
_PUBLIC_BYTES: Final = 32
_LONGEST: Final = 10_000  # bytes of a file that may be a key
_MEND: Final = "`comal receipt key` prints a public key"


class BadReceiptKey(ComalError):
    """A key that cannot be used; the text says which and what mends it."""


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs with one private key. `public` is `ed25519:<base64>`."""

    _private: "Ed25519PrivateKey" = field(repr=False)
    public: str

    def sign(self, payload: bytes) -> str:
        """Return the signature of a payload, in base64."""
        return base64.b64encode(self._private.sign(payload)).decode()


def signer_of(settings: Settings, *, create: bool = False) -> Signer:
    """Return who signs: the key of the settings, else the one beside the record.

    Args:
        create: Make the file beside the record if it is missing, for its owner alone; of processes
            that do so at once all get the same key.

    Raises:
        BadReceiptKey: There is none, or it cannot be read or made.
    """
    given = settings.receipts.key.get_secret_value()
    if given:
        return signer_from(given.encode(), "[receipts] key")
    path = settings.receipts.key_file(settings.data.path)
    try:
        if create and not path.exists():
            make_once(path, new_key())
        pem = path.read_bytes()
        warn_if_open(path)
    except OSError as error:
        why = error.strerror or str(error)
        raise BadReceiptKey(
            f"the key of the receipts {path} cannot be read: {why}; `comal run` makes it beside "
            "the record, for the user that runs the bot"
        ) from error
    return signer_from(pem, str(path))


def is_signed_by(public: str, signature: str, payload: bytes) -> bool:
    """Tell whether the private half of a public key signed exactly this payload.

    Raises:
        BadReceiptKey: The public key is none.
    """
    from cryptography.exceptions import InvalidSignature

    key = _public(public)
    try:
        key.verify(base64.b64decode(signature, validate=True), payload)
    except (InvalidSignature, ValueError):
        return False
    return True


def key_id(public: str) -> str:
    """Name a public key shortly, to be read out."""
    return hashlib.sha256(public.encode()).hexdigest()[:16]


def public_key(given: str) -> str:
    """Return the public key that a text is, or that the file of that name holds.

    Raises:
        BadReceiptKey: It is neither, or a private key.
    """
    if given.startswith(_PREFIX):
        _public(given)
        return given
    try:
        text = Path(given).read_bytes()[:_LONGEST].decode("ascii").strip()
    except OSError as error:
        why = error.strerror or str(error)
        raise BadReceiptKey(f"the public key {given!r} cannot be read: {why}; {_MEND}") from error
    except UnicodeDecodeError as error:
        raise BadReceiptKey(f"{given!r} holds no public key; {_MEND}") from error
    if text.startswith(_PREFIX):
        _public(text)
        return text
    return _from_pem(text, given)


def in_pem(public: str) -> str:
    """Return a public key as other programs read it.

    Raises:
        BadReceiptKey: It is none.
    """
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    form = PublicFormat.SubjectPublicKeyInfo
    return _public(public).public_bytes(Encoding.PEM, form).decode()


def _from_pem(text: str, where: str) -> str:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    if "PRIVATE KEY" in text:
        raise BadReceiptKey(f"{where!r} holds a private key, which nobody needs here; {_MEND}")
    try:
        key = load_pem_public_key(text.encode())
    except ValueError as error:
        raise BadReceiptKey(f"{where!r} holds no public key; {_MEND}") from error
    if not isinstance(key, Ed25519PublicKey):
        raise BadReceiptKey(f"{where!r} holds a key of another kind than Ed25519; {_MEND}")
    return _named(key)


def signer_from(pem: bytes, where: str) -> Signer:
    """Return who signs with a private key in PEM; `where` names it in errors.

    Raises:
        BadReceiptKey: It is none.
    """
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    mend = "`openssl genpkey -algorithm ed25519` makes one"
    try:
        key = load_pem_private_key(pem, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise BadReceiptKey(f"{where} holds no private key that can be read; {mend}") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise BadReceiptKey(f"{where} holds a key of another kind than Ed25519; {mend}")
    return Signer(key, _named(key.public_key()))


def new_key() -> str:
    """Return a new private key in PEM."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        NoEncryption,
        PrivateFormat,
    )

    key = Ed25519PrivateKey.generate()
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def _named(key: "Ed25519PublicKey") -> str:
    return f"{_PREFIX}{base64.b64encode(key.public_bytes_raw()).decode()}"


def _public(named: str) -> "Ed25519PublicKey":
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        raw = base64.b64decode(named.removeprefix(_PREFIX), validate=True)
    except ValueError:
        raw = b""
    if not named.startswith(_PREFIX) or len(raw) != _PUBLIC_BYTES:
        raise BadReceiptKey(f"{named[:80]!r} is no public key; {_MEND}")
    return Ed25519PublicKey.from_public_bytes(raw)
