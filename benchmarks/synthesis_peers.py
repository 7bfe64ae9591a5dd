"""One peer on the nearest equivalent of the loop's job; run by `synthesis.py peers` in the peer's own environment.

    python benchmarks/synthesis_peers.py PEER URL --items N [--in-flight 64]

Peers: distilabel, curator, data-designer, aiohttp; and autointeract, the loop itself. No peer has a loop with checks
and revisions, so their job is the chain alone: `items` conversations of TURNS dependent calls whose prompts grow with
the replies, then SAMPLES weak and SAMPLES strong answers to the whole conversation, CALLS calls an item. Each does it
as its documents show: a step, a pass or a column a call. The loop plays, checks, judges and samples without early stops
and without revisions, on so many items that it makes as many calls. Prints the number of rows as its last line.
"""

import argparse
import asyncio
import importlib.util
import os
import tempfile
from pathlib import Path
from typing import Any

TURNS, SAMPLES = 8, 3
CALLS = TURNS + 2 * SAMPLES
LOOP_CALLS = 13.9
"""Calls of the loop an item, in the mean: turns of both sides, four judges, six samples."""
RULES = "You play a person who works with a coding agent and wants one thing done. " * 11
COLUMNS = [f"turn_{turn}" for turn in range(TURNS)]
ANSWERS = [f"{solver}_{number}" for solver in ("weak", "strong") for number in range(SAMPLES)]


def template(column: str, left: str = "{{ ", right: str = " }}") -> str:
    """The prompt of a call, with places for the item and for the replies before."""
    number = COLUMNS.index(column) if column in COLUMNS else TURNS
    lines = [f"{left}{name}{right}" for name in COLUMNS[:number]]
    last = "Write the next message." if number < TURNS else f"Do what this person wants. Answer {column}."
    return "\n".join([RULES, f"Item {left}item{right}.", *lines, last])


def filled(column: str, row: dict[str, Any]) -> str:
    """The same with the row's values."""
    text = template(column, "<<", ">>")
    for name in ["item", *COLUMNS]:
        text = text.replace(f"<<{name}>>", str(row.get(name) or ""))
    return text


def model_of(column: str) -> str:
    """Which model is asked."""
    return column.split("_")[0] if column in ANSWERS else "sim"


def aiohttp(url: str, items: int, in_flight: int) -> int:
    """The floor: one gate for all calls."""
    from models_drivers import bare_aiohttp

    async def run(ask: Any) -> int:
        async def one(number: int) -> None:
            row: dict[str, Any] = {"item": number}
            for column in COLUMNS:
                (row[column],) = await ask("sim", filled(column, row), 1)
            await asyncio.gather(*(ask(model_of(column), filled(column, row), 1) for column in ANSWERS))

        await asyncio.gather(*(one(number) for number in range(items)))
        return items

    return asyncio.run(bare_aiohttp(url, in_flight, run))


def curator(url: str, items: int, in_flight: int) -> int:
    """A pass over the data set for each call: its prompt function sees one row."""
    litellm = importlib.util.find_spec("litellm")  # ships the tokenizer's table that would be fetched
    if litellm is not None and litellm.origin is not None:
        tables = str(Path(litellm.origin).parent / "litellm_core_utils" / "tokenizers")
        os.environ["TIKTOKEN_CACHE_DIR"] = os.environ["CUSTOM_TIKTOKEN_CACHE_DIR"] = tables
    os.environ.update({"TELEMETRY_ENABLED": "false", "CURATOR_DISABLE_RICH_DISPLAY": "1", "OPENAI_API_KEY": "k"})
    from bespokelabs import curator as library

    class Turn(library.LLM):
        column = ""

        def prompt(self, row: dict[str, Any]) -> str:
            return filled(self.column, row)

        def parse(self, row: dict[str, Any], response: str) -> dict[str, Any]:
            return {**row, self.column: response}

    rows: Any = [{"item": number} for number in range(items)]
    with tempfile.TemporaryDirectory() as folder:
        for column in [*COLUMNS, *ANSWERS]:
            model = Turn(model_name=model_of(column), backend="openai", backend_params={
                "base_url": url, "api_key": "k", "max_concurrent_requests": in_flight,
                "max_requests_per_minute": 10**7, "max_tokens_per_minute": 10**9,
            })  # fmt: skip
            model.column = column
            rows = model(rows, working_dir=f"{folder}/{column}").dataset
        return sum(all(row[column] for column in [*COLUMNS, *ANSWERS]) for row in rows)


def distilabel(url: str, items: int, in_flight: int) -> int:
    """A step for each call, in the order of need; the answers are steps of one level."""
    from distilabel.models import OpenAILLM
    from distilabel.pipeline import Pipeline
    from distilabel.steps import CombineOutputs, LoadDataFromDicts
    from distilabel.steps.tasks import TextGeneration

    with Pipeline("benchmark") as pipeline:
        load = LoadDataFromDicts(data=[{"item": str(number)} for number in range(items)], batch_size=in_flight)
        steps = {
            column: TextGeneration(
                name=column, template=template(column),
                columns=["item", *COLUMNS[: COLUMNS.index(column) if column in COLUMNS else TURNS]],
                output_mappings={"generation": column, "model_name": f"{column}_model"},
                add_raw_output=False, add_raw_input=False, input_batch_size=in_flight,
                llm=OpenAILLM(model=model_of(column), base_url=url, api_key="k", timeout=600,
                              generation_kwargs={"max_new_tokens": 256}),
            )
            for column in [*COLUMNS, *ANSWERS]
        }  # fmt: skip
        last: Any = load
        for column in COLUMNS:
            last = last >> steps[column]
        last >> [steps[column] for column in ANSWERS] >> CombineOutputs()
    rows = pipeline.run(use_cache=False)["default"]["train"]
    return sum(all(row[column] for column in [*COLUMNS, *ANSWERS]) for row in rows)


def data_designer(url: str, items: int, in_flight: int) -> int:
    """A text column for each call."""
    os.environ.update({"NEMO_TELEMETRY_ENABLED": "false", "HF_HUB_OFFLINE": "1"})
    import pandas as pd
    from data_designer.config.column_configs import LLMTextColumnConfig
    from data_designer.config.config_builder import DataDesignerConfigBuilder
    from data_designer.config.models import ChatCompletionInferenceParams, ModelConfig, ModelProvider
    from data_designer.config.seed_source import LocalFileSeedSource
    from data_designer.interface.data_designer import DataDesigner

    with tempfile.TemporaryDirectory() as folder:
        seeds = Path(folder) / "items.parquet"
        pd.DataFrame({"item": [str(number) for number in range(items)]}).to_parquet(seeds)
        limits = ChatCompletionInferenceParams(max_tokens=256, max_parallel_requests=in_flight)
        models = [
            ModelConfig(alias=name, model=name, provider="stub", inference_parameters=limits, skip_health_check=True)
            for name in ("sim", "weak", "strong")
        ]
        builder = DataDesignerConfigBuilder(model_configs=models)
        builder.with_seed_dataset(LocalFileSeedSource(path=str(seeds)))
        for column in [*COLUMNS, *ANSWERS]:
            builder.add_column(
                LLMTextColumnConfig(name=column, prompt=template(column), model_alias=model_of(column))
            )  # fmt: skip
        provider = ModelProvider(name="stub", endpoint=url, provider_type="openai", api_key="k")
        designer = DataDesigner(artifact_path=folder, model_providers=[provider])
        rows = designer.create(builder, num_records=items).load_dataset()
        return int(rows[[*COLUMNS, *ANSWERS]].notna().all(axis=1).sum())


def autointeract(url: str, items: int, in_flight: int) -> int:
    """The whole loop, until it has made as many calls as the others need."""
    from autointeract.models.door import Models
    from autointeract.models.settings import LimitSettings, ModelsSettings, RoleSettings
    from autointeract.synthesis.settings import SynthesisSettings
    from synthesis import Coin, run

    async def main() -> int:
        with tempfile.TemporaryDirectory() as folder:
            role = RoleSettings(model="sim", api_base=url, max_tokens=256)
            limits = LimitSettings(max_in_flight=in_flight, start_in_flight=in_flight)
            models = Models(ModelsSettings(default=role, limits=limits), folder=Path(folder), seed=0)
            settings = SynthesisSettings.model_validate({
                "items": round(items * CALLS / LOOP_CALLS), "rounds": 0, "null_share": 0, "full_share": 1,
                "confirm_share": 0, "reactive_share": 0, "scenarios": ["clarify_after_solution"],
                "band": {"early_stop": False},
            })  # fmt: skip
            return (await run(Path(folder), settings, Coin(), models=models)).counts["items"]

    return asyncio.run(main())


PEERS = {
    "autointeract": autointeract,
    "aiohttp": aiohttp,
    "curator": curator,
    "data-designer": data_designer,
    "distilabel": distilabel,
}


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peer", choices=sorted(PEERS))
    parser.add_argument("url")
    parser.add_argument("--items", type=int, default=300)
    parser.add_argument("--in-flight", type=int, default=64)
    args = parser.parse_args()
    print(PEERS[args.peer](args.url, args.items, args.in_flight))


if __name__ == "__main__":
    main()
