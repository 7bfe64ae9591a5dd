"""A planted set of private strings is removed, ordinary text is not, equal tokens stay equal, twice changes nothing."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autointeract.logs.redaction import Redactor

CANARIES = {
    "email": ["write to ada.lovelace+x@mail.example.co.uk please", "ada.lovelace+x@mail.example.co.uk"],
    "openai": ["export K=sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z", "sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z"],
    "anthropic": ["k " + "sk-" + "ant-api03-Zx9Yw8Vu7Ts6Rq5Po4Nm3Lk2", "Zx9Yw8Vu7Ts6Rq5Po4Nm3Lk2"],
    "github": ["GITHUB_TOKEN=ghp_16C7e42F292c6912E7710c838347Ae178B4a", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"],
    "github pat": ["github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwx", "github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwx"],
    "aws id": ["id AKIAIOSFODNN7EXAMPLE end", "AKIAIOSFODNN7EXAMPLE"],
    "aws id of letters": ["AWS_ACCESS_KEY_ID=AKIAGENERATEDEXAMPLE", "AKIAGENERATEDEXAMPLE"],
    "aws secret": [
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"],
    "slack": ["xoxb-" + "123456789012-abcdefGHIJKL", "123456789012-abcdefGHIJKL"],
    "stripe": ["sk_" + "live_4eC39HqLyjWDarjtT1zdp7dc", "4eC39HqLyjWDarjtT1zdp7dc"],
    "google": ["AIzaSyA-1234567890abcdefghijklmnopqrstuv", "AIzaSyA-1234567890abcdefghijklmnopqrstuv"],
    "jwt": ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmN", "eyJzdWIiOiIxMjM0In0"],
    "bearer": ["Authorization: Bearer a1b2c3d4e5f6g7h8", "a1b2c3d4e5f6g7h8"],
    "password": ['password = "tr0ub4dor"', "tr0ub4dor"],
    "password in words": ["my password is Hunter2!x, keep it", "Hunter2!x"],
    "env": ["DB_PASSWORD=correcthorsebattery", "correcthorsebattery"],
    "flag": ["mysql --password s3cretpass9 -u root", "s3cretpass9"],
    "url login": ["postgres://bob:pa55w@db.internal:5432/x", "pa55w"],
    "url token": ["https://h.example/x?sig=Zm9vYmFyMTIz&x=1", "Zm9vYmFyMTIz"],
    "random": ["value 9fK2mQ7xT4vB1nZ8cR5wJ3pL6hD0sG end", "9fK2mQ7xT4vB1nZ8cR5wJ3pL6hD0sG"],
    "key block": [
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA1234\nabcd\n-----END RSA PRIVATE KEY-----",
        "MIIEowIBAAKCAQEA1234"],
    "torn key block": ["-----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEA1234", "MIIEowIBAAKCAQEA1234"],
    "home": ["see /Users/quillon/notes and C:\\Users\\Quillon\\x", "uillon"],
    "linux home": ["/home/marguerite/src", "marguerite"],
    "encoded home": ["~/.claude/projects/-Users-marguerite-src", "marguerite"],
    "ipv4": ["host 203.0.113.77:80", "203.0.113.77"],
    "ipv6": ["at 2001:db8:85a3::8a2e:370:7334 now", "2001:db8:85a3::8a2e:370:7334"],
    "phone": ["call +49 170 1234567 today", "170 1234567"],
    "us phone": ["(555) 123-4567 or 555-123-4568", "123-456"],
    "name": ["Ada Lovelace wrote it, said ada", "ovelace"],
    "slack hook": ["https://hooks.slack.com/services/T000/B000/XXXXyyyy1111zzzz", "B000/XXXXyyyy1111zzzz"],
    "telegram": ["bot 123456789:AAabcdefghijklmnopqrstuvwxyz0123456", "AAabcdefghijklmnopqrstuvwxyz0123456"],
}  # fmt: skip
ORDINARY = [
    "commit 8465db2a0f0c8a3b1d7c6e5f4a3b2c1d0e9f8a7b by someone", "session 45ba035c-93ee-46e8-b83c-9d8a3a1cb05b",
    "git clone git@github.com:owner/repo.git", "listen on 127.0.0.1:8080 and 0.0.0.0", "version 1.2.3 or 10.4.1",
    "TestCheckpoint2HandlerReturnsErrorWhenFull", "def token_count(tokens): return len(tokens)", "token = get_token()",
    "password: string; secret: os.environ['X']", 'api_key="your-api-key-here"', "std::vector<int> a::b",
    "2026-02-12 17:14:48,123 took 1234567890 ns", "@decorator and user@", "the key is under the mat",
    "see https://example.org/a/b?page=2#top", "/usr/local/bin/python3.11 -m pytest tests/unit/test_things.py::test_one",
    "max_tokens: 4096, temperature: 0.7", "i18n_messages_en_US_v2_final.properties",
    "array[10][20] += 3.14159265358979",
]  # fmt: skip


def redactor(level: Any = "standard"):
    return Redactor(level, b"key", "u_1", {"Ada Lovelace", "quillon"})


@pytest.mark.parametrize("name", sorted(CANARIES))
@pytest.mark.parametrize("level", ["standard", "strict"])
def test_a_planted_private_string_is_gone(name, level):
    text, private = CANARIES[name]
    assert private in text
    shown = redactor(level).text(text)
    assert private not in shown and "<" in shown
    among = redactor(level).texts(["before", text, "after " * 3])
    assert private not in among[1] and among[0] == "before" and among[2] == "after " * 3


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_stays(text):
    assert redactor().text(text) == text


def test_off_changes_nothing():
    texts = [text for text, _ in CANARIES.values()]
    assert redactor("off").texts(texts) == texts


def test_equal_tokens_are_equal_within_a_user_and_differ_between_users():
    one = redactor()
    first, second = one.texts(["mail a@b.org", "again a@b.org or c@d.org"])
    token = first.split()[1]
    assert second.split()[1] == token and second.split()[3] != token
    assert Redactor("standard", b"key", "u_2").text("mail a@b.org").split()[1] != token
    assert one.counts == {"email": 3}


def test_a_private_string_at_the_end_of_one_text_never_reaches_into_the_next():
    texts = ["-----BEGIN PRIVATE KEY-----\nMIIabc", "innocent words", "key=AKIA", "IOSFODNN7EXAMPLE"]
    shown = redactor().texts(texts)
    assert shown[1] == "innocent words" and shown[3] == "IOSFODNN7EXAMPLE" and "MIIabc" not in shown[0]


PIECES = st.sampled_from([text for text, _ in CANARIES.values()] + ORDINARY + ["\n", " ", "é ünï ©", "<EMAIL_abc123>"])
NO_NUL = st.characters(exclude_categories=("Cs",), exclude_characters="\x00")


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(PIECES, st.text(NO_NUL, max_size=40)), max_size=8))
def test_redaction_is_idempotent_and_does_not_depend_on_what_stands_beside(pieces):
    one = redactor()
    shown = one.texts(pieces)
    assert shown == [redactor().text(piece) for piece in pieces]
    assert redactor().texts(shown) == shown


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(sorted(CANARIES)), st.text(NO_NUL, max_size=60), st.text(NO_NUL, max_size=60))
def test_no_context_hides_a_private_string(name, before, after):
    text, private = CANARIES[name]
    assert private not in redactor().text(f"{before}\n{text}\n{after}")
