"""A small real package with a suite, as a task image on either backend: one function is broken."""

import hashlib
import io
import re
import shutil
import sysconfig
import tarfile
from pathlib import Path

FILES = {
    "shop/__init__.py": "from shop.cart import total\n",
    "shop/cart.py": (
        "def total(prices, tax=0):\n    return sum(prices) - tax\n\n\ndef cheapest(prices):\n    return min(prices)\n"
    ),
    "tests/test_total.py": (
        "import pytest\n\nfrom shop.cart import total\n\n\ndef test_tax():\n    assert total([1, 2], 1) == 4\n\n\n"
        "def test_no_tax():\n    assert total([1, 2]) == 3\n\n\n"
        "@pytest.mark.parametrize('n', [1, 2], ids=['one item', 'two'])\n"
        "def test_many(n):\n    assert total([n] * n, n) == n * n + n\n"
    ),
    "tests/test_cheapest.py": (
        "import unittest\n\nfrom shop.cart import cheapest\n\n\nclass TestCheapest(unittest.TestCase):\n"
        "    def test_min(self):\n        self.assertEqual(cheapest([3, 1]), 1)\n"
    ),
    "tests/conftest.py": "",
    "pyproject.toml": "[tool.pytest.ini_options]\ntestpaths = ['tests']\n",
}
SHOP = f"autointeract-test-shop:{hashlib.sha256(repr(FILES).encode()).hexdigest()[:12]}"
"""The image's name; it changes with the package."""
FAIL_TO_PASS = [
    "tests/test_total.py::test_tax",
    "tests/test_total.py::test_many[one item]",
    "tests/test_total.py::test_many[two]",
]
PASS_TO_PASS = ["tests/test_total.py::test_no_tax", "tests/test_cheapest.py::TestCheapest::test_min"]
GOLD = """\
diff --git a/shop/cart.py b/shop/cart.py
--- a/shop/cart.py
+++ b/shop/cart.py
@@ -1,2 +1,2 @@
 def total(prices, tax=0):
-    return sum(prices) - tax
+    return sum(prices) + tax
"""


def new_file(path: str, text: str) -> str:
    """A diff that adds a file."""
    lines = text.rstrip("\n").split("\n")
    body = "".join(f"+{line}\n" for line in lines)
    return (
        f"diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n"
        f"@@ -0,0 +1,{len(lines)} @@\n{body}"
    )


def at_import(code: str) -> str:
    """A diff that runs `code` when the package is imported, and fixes nothing."""
    lines = code.rstrip("\n").split("\n")
    body = "".join(f"+{line}\n" for line in lines)
    return (
        "diff --git a/shop/__init__.py b/shop/__init__.py\n--- a/shop/__init__.py\n+++ b/shop/__init__.py\n"
        f"@@ -1 +1,{len(lines) + 1} @@\n from shop.cart import total\n{body}"
    )


def docker_image(address: str) -> None:
    """Makes the image on a real engine: the swe base and /testbed, without a network."""
    import docker
    from docker import errors

    client = docker.DockerClient(base_url=address)
    try:
        client.images.get(SHOP)
        return
    except errors.ImageNotFound:
        pass
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        recipe = b"FROM autointeract-swe:latest\nUSER 0:0\nCOPY testbed /testbed\n"
        for path, data in {"Dockerfile": recipe, **{f"testbed/{k}": v.encode() for k, v in FILES.items()}}.items():
            info = tarfile.TarInfo(path)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    archive.seek(0)
    client.images.build(fileobj=archive, custom_context=True, tag=SHOP, network_mode="none", rm=True, forcerm=True)
    client.close()


def bubblewrap_image(root: Path) -> None:
    """Makes the image as a folder: /testbed, and pytest beside it."""
    folder = root / re.sub(r"[^A-Za-z0-9_.-]", "_", SHOP)
    for path, text in FILES.items():
        (folder / "testbed" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "testbed" / path).write_text(text)
    site = Path(sysconfig.get_path("purelib"))
    for package in ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments"):
        shutil.copytree(site / package, folder / "site-packages" / package)
    shutil.copy(site / "py.py", folder / "site-packages")
