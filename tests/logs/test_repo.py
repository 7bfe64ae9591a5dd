"""A repository is known by its owner and name; nothing else of its address is kept."""

import pytest

from autointeract.logs.repo import repo_of


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://forge.example/quillon/garden.git", "quillon/garden"),
        ("https://forge.example/quillon/garden/", "quillon/garden"),
        ("https://quillon:hunter2@forge.example/quillon/garden.git", "quillon/garden"),
        ("https://quillon:hunter2@forge.example/garden.git", "garden"), ("https://forge.example/garden", "garden"),
        ("https://forge.example:8443/garden.git", "garden"), ("ssh://git@forge.example:22/quillon/bed", "quillon/bed"),
        ("git@forge.example:quillon/garden.git", "quillon/garden"), ("git@forge.example:garden.git", "garden"),
        ("forge:quillon/garden", "quillon/garden"), ("https://forge.example/group/sub/garden.git", "sub/garden"),
        ("quillon/garden", "quillon/garden"), ("/home/quillon/src/garden", "garden"), ("../garden", "garden"),
        ("file:///home/quillon/garden.git", "garden"), ("C:\\Users\\quillon\\garden", "garden"), ("", None),
    ],
)  # fmt: skip
def test_a_remote_gives_owner_and_name(url, name):
    assert repo_of(url) == name
