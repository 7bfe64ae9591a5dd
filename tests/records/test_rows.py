"""Every row class and its Arrow schema say the same, and every row survives Parquet."""

import json
from datetime import UTC, datetime

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autointeract import records
from autointeract.errors import InputError
from autointeract.records import Message, Row, Session, Trajectory, Turn, UserTurn
from autointeract.records.text import clean_json, clean_text

ROWS = [item for item in vars(records).values() if isinstance(item, type) and issubclass(item, Row) and item is not Row]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.__name__)
def test_schema_lists_the_fields_in_order(row):
    assert row.SCHEMA.names == list(row.model_fields)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.__name__)
def test_text_columns_are_large_and_json_columns_are_text(row):
    for field in row.SCHEMA:
        if field.name.endswith("_json"):
            assert field.type == pa.large_string(), field.name


def _trajectory(**changes) -> Trajectory:
    prompt = [
        Message(role="user", content="hi é 中"),
        Message(
            role="assistant", content="", tool_calls_json=json.dumps([{"id": "1", "function": {"arguments": "{}"}}])
        ),
        Message(role="tool", content="ok", tool_call_id="1"),
        Message(role="user", content="a\u2028b\x0bc"),
    ]
    turn = UserTurn(index=0, strategy="reveal_piece", polarity=1, origin="scripted", facts=["f1"], visible_chars=2)
    row = {
        "trajectory_id": "t", "domain": "algorithmic", "scenario": "bug_iteration", "round": 0, "prompt": prompt,
        "turns": [turn], "verifier_json": "{}", "source_task_id": "s", "source": "x", "profile_id": "p", "niche": "n",
        "prompt_id": "b", "weak_scores": [0.0], "strong_scores": [1.0], "weak_score": 0.0, "strong_score": 1.0,
        "checks_json": "{}", "guidance": "", "models_json": "{}", "usage_json": "{}", "seed": 2**31, "config_sha": "c",
        "software": "s",
    }  # fmt: skip
    return Trajectory(**(row | changes))


def test_a_trajectory_survives_parquet(tmp_path):
    rows = [_trajectory(), _trajectory(prompt=[Message(role="user", content="no tools")], turns=[])]
    pq.write_table(Trajectory.table(rows), tmp_path / "x.parquet")
    back = [Trajectory.from_arrow(data) for data in pq.read_table(tmp_path / "x.parquet").to_pylist()]
    assert back == rows


def test_an_empty_table_has_the_full_schema(tmp_path):
    pq.write_table(Trajectory.table([]), tmp_path / "x.parquet")
    assert pq.read_schema(tmp_path / "x.parquet").equals(Trajectory.SCHEMA)


def test_equal_inputs_give_equal_ids_and_other_inputs_do_not():
    prompt = _trajectory().prompt
    same = Trajectory.make_id(list(prompt), "{}", None)
    assert same == Trajectory.make_id(list(prompt), "{}", None)
    others = {Trajectory.make_id(prompt[:1], "{}", None), Trajectory.make_id(prompt, "[]", None)}
    assert same not in others | {Trajectory.make_id(prompt, "{}", "diff")}


def test_times_keep_their_zone(tmp_path):
    at = datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC)
    session = Session(
        session_id="s",
        user_id=None,
        source_format="x",
        turns=[Turn(index=0, role="user", kind="human", text="t", at=at)],
    )
    pq.write_table(Session.table([session]), tmp_path / "x.parquet")
    assert Session.from_arrow(pq.read_table(tmp_path / "x.parquet").to_pylist()[0]).turns[0].at == at


@given(st.text(alphabet=st.characters(), max_size=80))
def test_cleaned_text_is_storable_and_cleaning_is_idempotent(text):
    cleaned = clean_text(text)
    cleaned.encode("utf-8")
    assert "\x00" not in cleaned
    assert clean_text(cleaned) == cleaned


def test_surrogates_and_nul_are_cleaned_everywhere():
    assert clean_text("ok \ud83d") == "ok \ufffd"
    assert clean_text("\ud83d\ude00") == "😀"
    assert clean_json({"a\x00": ["\ud83d", {"b": "\x00c"}]}) == {"a": ["\ufffd", {"b": "c"}]}


def test_a_verifier_spec_names_what_is_wrong():
    good = '{"kind": "assertions", "assertions": ["assert f() == 1"], "entry_point": "f"}'
    assert records.parse_spec(good).kind == "assertions"
    with pytest.raises(InputError, match="kind"):
        records.parse_spec('{"kind": "magic"}')
    with pytest.raises(InputError, match="assertions"):
        records.parse_spec('{"kind": "assertions"}')


def test_run_only_settings_are_no_part_of_the_result_view():
    from typing import Annotated

    class Inner(records.SettingsModel):
        speed: Annotated[int, records.RUN_ONLY] = 1
        temperature: float = 1.0

    class Outer(records.SettingsModel):
        inner: Inner = Inner()
        name: str = "x"

    assert Outer().result_view() == {"inner": {"temperature": 1.0}, "name": "x"}
    assert Outer(inner=Inner(speed=9)).result_view() == Outer().result_view()
