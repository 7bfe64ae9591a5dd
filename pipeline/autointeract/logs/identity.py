"""Who a session belongs to: a pseudonym from the best evidence its format holds.

The pseudonym is an HMAC of the evidence under the workspace's key, so the same person gets the same id in every file
and run of one workspace and nobody without the key can test a guess. The key never enters a dataset. A name that many
machines share ("root", "ubuntu", a CI runner) is no evidence.
"""

import hashlib
import hmac
import re
from collections import Counter
from collections.abc import Iterable

_HOME = re.compile(
    r"(?:^|[\s\"'=(:])(?:/home/|/Users/|/mnt/[a-z]/Users/|/[a-z]/Users/|[A-Za-z]:[\\/]+Users[\\/]+|"
    r"\\\\wsl[^\\]*\\[^\\]+\\home\\|file:///(?:Users|home)/)([^/\\\s\"']+)",
    re.I,
)
ORDER = ("account", "home", "author", "device")
"""Best evidence first: an account the source itself gives, the home folder, the git author, a device."""
SHARED_NAMES = frozenset(
    [
        "root",
        "user",
        "users",
        "ubuntu",
        "debian",
        "admin",
        "administrator",
        "runner",
        "runneradmin",
        "vscode",
        "node",
        "app",
        "codespace",
        "codespaces",
        "gitpod",
        "workspace",
        "home",
        "shared",
        "public",
        "default",
        "guest",
        "test",
        "docker",
        "jovyan",
        "ec2-user",
        "vagrant",
        "pi",
        "sandbox",
        "coder",
        "developer",
        "dev",
        "work",
        "circleci",
        "jenkins",
        "builder",
        "vercel-sandbox",
        "oai",
        "openhands",
        "anonymous",
        "unknown",
        "none",
        "null",
        "username",
        "user_name",
        "yourname",
        "your_name",
        "your-name",
        "yourusername",
        "your_username",
        "your-username",
        "youruser",
        "your-user",
        "myuser",
        "testuser",
        "you",
        "me",
        "name",
        "xxx",
        "foo",
        "onedrive",
    ]
)


def home_user(path: str) -> str | None:
    """The user name in a path under a home folder, or null (also for names that many machines share)."""
    match = _HOME.search(path)
    name = match.group(1) if match else None
    return name if name and name.lower() not in SHARED_NAMES else None


_HOMES = ("/Users/", "/home/", "\\Users\\", "\\users\\")
_NAME = re.compile(r"([^/\\\s\"'`<>()\[\]{}*$%|:,;]{1,40})[/\\]")
MIN_MENTIONS = 3
MAIN_SHARE = 0.6
"""Share of all home folders in a text that must be one person's."""


def usual_home(text: str) -> str | None:
    """The user name of the home folder that a session's text is full of, or null where none stands out.

    For formats whose metadata name nobody: the paths the tools worked on do. Names that documentation uses
    ("username") and names that many machines share are no evidence.
    """
    names: Counter[str] = Counter()
    for mark in _HOMES:
        before, *pieces = text.split(mark)
        for piece in pieces:
            # A path begins here: no web address and no folder deeper down.
            match = _NAME.match(piece) if not before[-1:].isalnum() and before[-1:] not in ("-", "_", ".") else None
            if match and match.group(1).lower() not in SHARED_NAMES:
                names[match.group(1)] += 1
            before = piece
    if not names:
        return None
    name, count = names.most_common(1)[0]
    return name if count >= MIN_MENTIONS and count >= MAIN_SHARE * names.total() else None


def pseudonym(evidence: Iterable[tuple[str, str]], key: bytes) -> str | None:
    """The user id for the best of `evidence` ((kind, value) pairs), or null where there is none."""
    best = min(
        ((ORDER.index(kind), place, kind, value) for place, (kind, value) in enumerate(evidence) if value.strip()),
        default=None,
    )
    if best is None:
        return None
    _, _, kind, value = best
    return "u_" + keyed(key, "user", kind, value.strip().lower() if kind == "author" else value.strip())[:16]


def keyed(key: bytes, *parts: str) -> str:
    """Hex HMAC-SHA256 of `parts` under `key`."""
    return hmac.new(key, "\x1f".join(parts).encode("utf-8", "replace"), hashlib.sha256).hexdigest()
