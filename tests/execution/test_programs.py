"""Programs judged by output: Python and C++, checkers, interactors, statuses by name."""

import hashlib
import zipfile
from pathlib import Path

import pytest

from autointeract.errors import InputError
from autointeract.execution import Execution
from autointeract.records import Case, StdioFilesSpec, StdioSpec, Submission, Verdict

ADD = "print(sum(map(int, input().split())))"
CPP = "#include <cstdio>\n#include <cstdlib>\n#include <unistd.h>\nint main(){ %s }"


async def python(execution: Execution, code: str, *cases: tuple[str, str], **more) -> Verdict:
    spec = StdioSpec(language="python", cases=[Case(input=a, output=b) for a, b in cases], **more)
    return await execution.verify(spec, Submission(text=f"```python\n{code}\n```"))


async def cpp(execution: Execution, body: str, *cases: tuple[str, str], **more) -> Verdict:
    spec = StdioSpec(language="cpp", cases=[Case(input=a, output=b) for a, b in cases], **more)
    return await execution.verify(spec, Submission(text=f"```cpp\n{CPP % body}\n```"))


def states(verdict: Verdict) -> list[str]:
    return [entry["status"] for entry in verdict.details]


async def test_python_share_of_cases(execution: Execution) -> None:
    verdict = await python(execution, ADD, ("1 2\n", "3\n"), ("2 2", " 4 "), ("1 1", "3"))
    assert (verdict.passed, verdict.total, states(verdict)) == (2, 3, ["passed", "passed", "failed"])
    assert verdict.score == pytest.approx(2 / 3)


async def test_equal_numbers_are_equal_tokens(execution: Execution) -> None:
    assert (await python(execution, "print(0.50, 'x')", ("", "0.5 x"))).score == 1
    assert (await python(execution, "print('0.5000001')", ("", "0.5"))).score == 0


async def test_python_behaves_as_a_program(execution: Execution) -> None:
    code = (
        "import sys\nif __name__ == '__main__':\n    for line in sys.stdin: print(line.strip()[::-1])\n    sys.exit(0)"
    )
    assert (await python(execution, code, ("ab\ncd\n", "ba\ndc"))).score == 1


async def test_statuses_by_name(execution: Execution) -> None:
    for code, status in {
        "while True: pass": "timeout", "import time; time.sleep(9)": "timeout", "raise SystemExit(3)": "exit",
        "x = bytearray(10**10)": "memory", "import os; os.kill(os.getpid(), 11)": "signal",
        "while True: print('x' * 10000)": "output_limit",
    }.items():  # fmt: skip
        assert states(await python(execution, code, ("", "1"), time_limit_s=0.5)) == [status], code


async def test_cpp(execution: Execution) -> None:
    body = 'long long a,b; scanf("%lld%lld",&a,&b); printf("%lld",a+b);'
    assert (await cpp(execution, body, ("1 2", "3"), ("5 5", "10"))).score == 1
    assert (await cpp(execution, "nonsense;", ("", ""))).status == "compile_error"
    assert states(await cpp(execution, "for(;;);", ("", "1"), time_limit_s=0.5)) == ["timeout"]
    assert states(await cpp(execution, MEMORY, ("", "1"))) == ["memory"]
    assert states(await cpp(execution, "abort();", ("", "1"))) == ["signal"]
    assert states(await cpp(execution, "return 7;", ("", ""))) == ["exit"]


async def test_checker_decides_and_its_failure_blames_nobody(execution: Execution) -> None:
    checker = (
        "import sys\nn = int(open('in').read()); out = open('out').read().split()\n"
        "if len(out) != 2: sys.exit(2)\nsys.exit(0 if sum(map(int, out)) == n else 1)"
    )
    cases = (("5", ""), ("7", ""))
    assert (await python(execution, "n=int(input()); print(1, n-1)", *cases, checker=checker)).score == 1
    assert (await python(execution, "print(2, 3)", *cases, checker=checker)).score == 0.5
    broken = await python(execution, "print(2, 3)", *cases, checker="import sys; sys.exit(3)")
    assert (broken.score, broken.fault) == (None, "verifier")


async def test_checker_in_cpp_and_missing_testlib(execution: Execution) -> None:
    checker = '#include <cstdio>\nint main(int,char**v){int x; fscanf(fopen(v[2],"r"),"%d",&x); return x%2?1:0;}'
    assert (await cpp(execution, 'puts("4");', ("", ""), checker=checker)).score == 1
    assert (await cpp(execution, 'puts("5");', ("", ""), checker=checker)).score == 0
    with pytest.raises(InputError, match="testlib"):
        await cpp(execution, 'puts("4");', ("", ""), checker='#include "testlib.h"\nint main(){}')


MEMORY = "size_t n=1u<<30; char*p=new char[n]; for(size_t i=0;i<n;i+=4096)p[i]=1; puts(p);"
INTERACTOR = """#include <cstdio>
int main(int, char** v) {
  int secret; if (fscanf(fopen(v[1], "r"), "%d", &secret) != 1) return 3;
  FILE* log = fopen(v[2], "w");
  for (int i = 0; i < 12; i++) {
    int guess; if (scanf("%d", &guess) != 1) return 2;
    fprintf(log, "%d\\n", guess);
    if (guess == secret) { puts("="); return 0; }
    puts(guess < secret ? "<" : ">"); fflush(stdout);
  }
  return 1;
}"""
SEARCH = """int a=1,b=1000; while(true){int m=(a+b)/2; printf("%d\\n",m); fflush(stdout); char c; scanf(" %c",&c);
  if(c=='=')break; if(c=='<')a=m+1; else b=m-1;}"""
STUBBORN = 'for(;;){puts("1"); fflush(stdout); char c; if(scanf(" %c",&c)!=1) return 0;}'


def archive(folder: Path, files: dict[str, str]) -> str:
    path = folder / "made.zip"
    with zipfile.ZipFile(path, "w") as made:
        for name, text in files.items():
            made.writestr(name, text)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    path.rename(folder / digest)
    return digest


async def files(like: Execution, folder: Path, digest: str, body: str, **more) -> Verdict:
    async with Execution(like.settings, cache_path=folder / "verdicts.sqlite", blob_path=folder) as execution:
        spec = StdioFilesSpec(archive_sha256=digest, **more)
        return await execution.verify(spec, Submission(text=f"```cpp\n{CPP % body}\n```"))


async def test_archive_stops_at_the_first_failure(execution: Execution, tmp_path: Path) -> None:
    cases = {f"testdata/{n}.in": f"{n}" for n in (1, 2, 10)} | {f"testdata/{n}.ans": f"{n * n}" for n in (1, 2, 10)}
    digest = archive(tmp_path, {**cases, "config.yaml": "subtasks:\n- n_cases: 2\n  score: 100\n"})
    good = await files(execution, tmp_path, digest, 'int n; scanf("%d",&n); printf("%d",n*n);')
    assert (good.score, good.total) == (1, 2)
    bad = await files(execution, tmp_path, digest, 'int n; scanf("%d",&n); printf("%d",n+1);')
    assert (bad.score, bad.passed, len(bad.details)) == (0, 0, 1)


async def test_interactor(execution: Execution, tmp_path: Path) -> None:
    cases = {"testdata/1.in": "617", "testdata/1.ans": "", "testdata/2.in": "1000", "testdata/2.ans": ""}
    digest = archive(tmp_path, {**cases, "config.yaml": "type: interactive\n", "interactor.cc": INTERACTOR})
    judge = {"interactor": "interactor.cc", "time_limit_s": 1.0}
    assert (await files(execution, tmp_path, digest, SEARCH, **judge)).score == 1
    assert states(await files(execution, tmp_path, digest, STUBBORN, **judge)) == ["failed"]
    assert states(await files(execution, tmp_path, digest, "return 0;", **judge)) == ["failed"]
    silent = await files(execution, tmp_path, digest, "for(;;) sleep(1);", **judge)
    assert states(silent) == ["timeout"]


async def test_archives_that_cannot_be_used_are_refused_by_name(execution: Execution, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not found"):
        await files(execution, tmp_path, "0" * 64, "return 0;")
    empty = archive(tmp_path, {"config.yaml": "type: default\n"})
    with pytest.raises(InputError, match="no test cases"):
        await files(execution, tmp_path, empty, "return 0;")
    (tmp_path / ("1" * 64)).write_text("x")
    with pytest.raises(InputError, match="damaged"):
        await files(execution, tmp_path, "1" * 64, "return 0;")
