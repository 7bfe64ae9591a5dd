"""A local stand-in for the Hub's HTTP API: dataset repositories with files, LFS uploads and commits. Stdlib only.

`fail` makes requests fail: `{("PUT", 2): 503}` lets the third PUT answer 503. `commits` and `uploads` count what came.
"""

import base64
import hashlib
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit


class FakeHub:
    """Serves on a free port of the loopback interface while the `with` block lasts."""

    def __init__(self) -> None:
        self.repos: dict[str, dict[str, bytes]] = {}
        self.private: dict[str, bool] = {}
        self.lfs_paths: dict[str, set[str]] = {}
        self.objects: dict[str, bytes] = {}
        self.commits: list[str] = []
        self.uploads = 0
        self.fail: dict[tuple[str, int], int] = {}
        self.seen: dict[str, int] = {}
        self.lock = threading.RLock()
        hub = self

        class Handler(_Handler):
            pass

        Handler.hub = hub
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def head(self, repo: str) -> str:
        """The commit id: digest of the files."""
        parts = [f"{name}:{hashlib.sha256(data).hexdigest()}" for name, data in sorted(self.repos[repo].items())]
        return hashlib.sha1("\n".join(parts).encode()).hexdigest()

    def __enter__(self) -> "FakeHub":
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    hub: FakeHub
    protocol_version = "HTTP/1.1"

    def _route(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        path = unquote(urlsplit(self.path).path)
        with self.hub.lock:
            number = self.hub.seen.get(self.command, 0)
            self.hub.seen[self.command] = number + 1
            if status := self.hub.fail.pop((self.command, number), None):
                return self._json({"error": "try later"}, status)
            self._answer(path, body)

    do_GET = do_POST = do_PUT = do_HEAD = _route

    def _answer(self, path: str, body: bytes) -> None:
        hub = self.hub
        if path == "/api/whoami-v2":
            return self._json({"type": "user", "name": "me", "orgs": []})
        if path == "/api/validate-yaml":
            return self._json({"errors": [], "warnings": []})
        if path == "/api/repos/create":
            data = json.loads(body)
            repo = f"{data.get('organization') or 'me'}/{data['name']}"
            hub.repos.setdefault(repo, {})
            hub.lfs_paths.setdefault(repo, set())
            hub.private.setdefault(repo, bool(data.get("private") or data.get("visibility") == "private"))
            return self._json({"url": f"{hub.url}/datasets/{repo}"})
        if match := re.fullmatch(r"/lfs/([0-9a-f]{64})", path):
            hub.objects[match[1]] = body
            hub.uploads += 1
            return self._json({})
        if match := re.fullmatch(r"/datasets/([^/]+/[^/]+)\.git/info/lfs/objects/batch", path):
            return self._json({"transfer": "basic", "objects": [self._object(o) for o in json.loads(body)["objects"]]})
        if match := re.fullmatch(r"/datasets/([^/]+/[^/]+)/resolve/([^/]+)/(.+)", path):
            return self._file(match[1], match[3])
        if match := re.fullmatch(r"/api/datasets/([^/]+/[^/]+?)(?:/(\w[\w-]*)(?:/([^/]+)(?:/(.*))?)?)?", path):
            if match[1] not in hub.repos:
                return self._json({"error": "Repository not found"}, 404, {"X-Error-Code": "RepoNotFound"})
            return self._repo(match[1], match[2], match[4] or "", body)
        self._json({"error": f"not here: {path}"}, 404)

    def _repo(self, repo: str, verb: str | None, rest: str, body: bytes) -> None:
        hub, files = self.hub, self.hub.repos[repo]
        if verb in (None, "revision"):
            siblings = [{"rfilename": name} for name in sorted(files)]
            info = {"id": repo, "sha": hub.head(repo), "private": hub.private[repo], "siblings": siblings}
            return self._json(
                {**info, "tags": [], "downloads": 0, "likes": 0, "lastModified": "2026-01-01T00:00:00.000Z"}
            )
        if verb == "tree":
            entries = [self._entry(repo, name) for name in sorted(files) if name.startswith(rest)]
            folders = {name.rpartition("/")[0] for name in files} - {""}
            entries += [{"type": "directory", "path": name, "oid": "0" * 40, "size": 0} for name in sorted(folders)]
            return self._json(entries)
        if verb == "paths-info":
            found = [self._entry(repo, name) for name in json.loads(body)["paths"] if name in files]
            return self._json(found)
        if verb == "preupload":
            wanted = json.loads(body)["files"]
            modes = [
                {"path": f["path"], "uploadMode": "lfs" if f["path"].endswith(".parquet") else "regular",
                 "shouldIgnore": False} for f in wanted
            ]  # fmt: skip
            return self._json({"files": modes})
        if verb == "commit":
            return self._commit(repo, [json.loads(line) for line in body.splitlines() if line.strip()])
        self._json({"error": f"not here: {verb}"}, 404)

    def _commit(self, repo: str, lines: list[dict[str, Any]]) -> None:
        hub, files = self.hub, dict(self.hub.repos[repo])
        for line in lines:
            value = line["value"]
            if line["key"] == "header" and value.get("parentCommit") not in (None, hub.head(repo)):
                return self._json({"error": "the repository has moved"}, 412)
            if line["key"] == "file":
                files[value["path"]] = base64.b64decode(value["content"])
                hub.lfs_paths[repo].discard(value["path"])
            elif line["key"] == "lfsFile":
                files[value["path"]] = hub.objects[value["oid"]]
                hub.lfs_paths[repo].add(value["path"])
            elif line["key"] == "deletedFile":
                del files[value["path"]]
        hub.repos[repo] = files
        hub.commits.append(repo)
        url = f"{hub.url}/datasets/{repo}/commit/{hub.head(repo)}"
        self._json({"success": True, "commitOid": hub.head(repo), "commitUrl": url})

    def _object(self, wanted: dict[str, Any]) -> dict[str, Any]:
        if wanted["oid"] in self.hub.objects:
            return wanted  # there already: nothing to upload
        return {**wanted, "actions": {"upload": {"href": f"{self.hub.url}/lfs/{wanted['oid']}", "header": {}}}}

    def _entry(self, repo: str, name: str) -> dict[str, Any]:
        data = self.hub.repos[repo][name]
        sha = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
        entry: dict[str, Any] = {"type": "file", "path": name, "size": len(data), "oid": sha}
        if name in self.hub.lfs_paths[repo]:
            entry["lfs"] = {"oid": hashlib.sha256(data).hexdigest(), "size": len(data), "pointerSize": 130}
        return entry

    def _file(self, repo: str, name: str) -> None:
        data = self.hub.repos.get(repo, {}).get(name)
        if data is None:
            return self._json({"error": "Entry not found"}, 404, {"X-Error-Code": "EntryNotFound"})
        headers = {"ETag": f'"{hashlib.sha256(data).hexdigest()}"', "X-Repo-Commit": self.hub.head(repo)}
        status = 200
        if match := re.match(r"bytes=(\d+)-(\d*)", self.headers.get("Range") or ""):
            start, end = int(match[1]), int(match[2] or len(data) - 1)
            headers["Content-Range"] = f"bytes {start}-{end}/{len(data)}"
            data, status = data[start : end + 1], 206
        self._send(data, status, {"Accept-Ranges": "bytes", **headers})

    def _json(self, value: Any, status: int = 200, headers: dict[str, str] | None = None) -> None:
        self._send(json.dumps(value).encode(), status, {"Content-Type": "application/json", **(headers or {})})

    def _send(self, data: bytes, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        pass
