"""The name of a repository in the address of its remote: `owner/name`, never its host, user or password."""

import re

_REMOTE = re.compile(r"(?:[\w+.-]+://(?:[^/@]*@)?[^/:]*(?::\d+)?/|(?:[^/@:]+@)?[^/:@]+:)(.+)")
_LOCAL = re.compile(r"(?:file:|[/~.\\]|[A-Za-z]:[\\/])")


def repo_of(url: str) -> str | None:
    """`owner/name` (or the name alone, for a folder of this machine); null where there is none."""
    url = url.strip().replace("\\", "/").rstrip("/").removesuffix(".git")
    if not url:
        return None
    match = _REMOTE.fullmatch(url)
    if _LOCAL.match(url):
        return url.rsplit("/", 1)[-1] or None
    parts = [part for part in (match.group(1) if match else url).split("/") if part]
    return "/".join(parts[-2:]) or None
