#!/usr/bin/env bash
# Real tools read every export and our explain documents: makes its own environment once, writes the exports, lets each
# consumer read its file.
set -euo pipefail
cd "$(dirname "$0")"
here=$PWD

if [ ! -x .venv/bin/python ] || ! cmp -s requirements.txt .venv/made-from; then
  python3 -m venv --clear .venv
  .venv/bin/pip install --quiet --disable-pip-version-check -r requirements.txt
  cp requirements.txt .venv/made-from
fi
if [ ! -d node_modules ] || ! cmp -s package-lock.json node_modules/made-from; then
  npm ci --silent --no-audit --no-fund
  cp package-lock.json node_modules/made-from
fi

pegboard=${PEGBOARD:-$(cd ../.. && cargo build --quiet --message-format=json | "$here/.venv/bin/python" -c '
import json, sys
print([m["executable"] for m in map(json.loads, sys.stdin) if m.get("executable") and m["target"]["name"] == "pegboard"][-1])')}

rm -rf out && mkdir -p out
for case in wrong right missing endless; do
  for format in json junit gradescope classroom50 github exercism check50 prairielearn ctrf csv; do
    "$pegboard" grade X3 "cases/$case.js" --seed 1207 --fixed-clock 2026-01-15T09:30:00Z \
      --format "$format" --out "out/$case.$format" || [ "$case" = missing ] || [ "$case" = endless ]
  done
done
mkdir -p out/answers && cp cases/right.js out/answers/X3.js && cp cases/wrong.js out/answers/X4.js
for format in json junit gradescope classroom50 github exercism check50 prairielearn ctrf csv; do
  "$pegboard" grade --submission out/answers --exercises X3,X4,X9 --seed 1207 --fixed-clock 2026-01-15T09:30:00Z \
    --format "$format" --out "out/several.$format"
done
.venv/bin/python check.py out
node check.mjs out
node explain.mjs "$pegboard"
