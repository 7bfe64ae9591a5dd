"""Run as a process of its own (the Hub's address is read at import): loads a repository, prints its rows as JSON."""

import json
import sys

from datasets import load_dataset

found = {}
for config in sys.argv[2:]:
    loaded = load_dataset(sys.argv[1], config)
    found[config] = {name: part.num_rows for name, part in loaded.items()}
    streamed = load_dataset(sys.argv[1], config, streaming=True)
    assert {name: sum(1 for _ in part) for name, part in streamed.items()} == found[config]
print(json.dumps(found))
