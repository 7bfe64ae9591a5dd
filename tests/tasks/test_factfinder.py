"""Facts by a model: taken when they quote and cover the statement, else the rules; faults are not the task's."""

import pytest
from tests.tasks.task_rows import STATEMENT, own

from autointeract.models import Models, ModelsSettings, RoleSettings
from autointeract.models.simulated.scripted import say_json, script
from autointeract.tasks import stage
from autointeract.tasks.factfinder import Decomposition, located
from autointeract.tasks.settings import TasksSettings
from autointeract.workspace import Workspace

GOOD = {
    "facts": [
        {"text": "The marks of a pupil are added up.", "quote": "Add up the marks  of a pupil."},
        {"text": "Marks below zero do not count.", "quote": "Marks below zero\ndo not count."},
        {"text": "An empty list gives 0.", "quote": "An empty list gives 0."},
        {"text": "marks([1, 2]) is 3 and marks([-4, 2]) is 2.", "quote": "marks([1, 2]) == 3\nmarks([-4, 2]) == 2"},
    ]
}


def test_quotes_are_found_whatever_the_spacing():
    facts = located(STATEMENT, Decomposition.model_validate(GOOD))
    assert facts and [fact.id for fact in facts] == ["f1", "f2", "f3", "f4"]
    start, end = facts[1].span or (0, 0)
    assert STATEMENT[start:end] == "Marks below zero do not count."
    assert located(STATEMENT, Decomposition.model_validate({"facts": [{"text": "a", "quote": "not there"}]})) is None


async def facts_with(steps, jsonl, services, tmp_path, name="ws"):
    workspace = Workspace(tmp_path / name)
    settings = TasksSettings.model_validate({"sources": [jsonl(own())]})
    with script("writer", steps) as seen:
        models = Models(ModelsSettings(default=RoleSettings(model="scripted/writer")), folder=workspace.root, seed=0)
        async with models:
            await stage.run(settings, workspace, services(models))
    return next(iter(workspace.tasks.rows())), seen


async def test_a_good_decomposition_is_taken(jsonl, services, tmp_path):
    row, seen = await facts_with([say_json(GOOD)], jsonl, services, tmp_path)
    assert [fact.text for fact in row.facts] == [item["text"] for item in GOOD["facts"]]
    assert '"facts":"model"' in row.verified_json and len(seen) == 1


@pytest.mark.parametrize(
    "reply",
    [
        {"facts": GOOD["facts"][:2]},  # leaves something out
        {"facts": [*GOOD["facts"], {"text": "It is fast.", "quote": "must be fast"}]},  # adds something
    ],
)
async def test_a_bad_one_falls_back_to_the_rules(reply, jsonl, services, tmp_path):
    row, _ = await facts_with([say_json(reply)], jsonl, services, tmp_path)
    assert row.facts[0].text == "Add up the marks of a pupil." and '"facts":"rules"' in row.verified_json


async def test_the_stand_in_writer_agrees_with_the_rules(jsonl, services, tmp_path):
    rows = []
    for name, facts in (("a", "model"), ("b", "rules")):
        workspace = Workspace(tmp_path / name)
        models = Models(ModelsSettings(default=RoleSettings(model="simulated/default")), folder=workspace.root, seed=0)
        async with models:
            settings = TasksSettings.model_validate({"sources": [jsonl(own())], "facts": facts})
            await stage.run(settings, workspace, services(models))
        rows.append(next(iter(workspace.tasks.rows())))
    assert rows[0].facts == rows[1].facts
