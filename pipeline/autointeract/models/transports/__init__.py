"""Ways to a model, one contract (`base.Transport`); loaded by name when first used."""
