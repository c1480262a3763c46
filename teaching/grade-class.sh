#!/usr/bin/env bash
# Grades a class: ANSWERS/STUDENT/EXERCISE.js. Stopped and started again, it goes on where it was.
#   grade-class.sh ANSWERS OUT [SEED]
set -euo pipefail
answers=$1 out=$2 seed=${3:-1}
mkdir -p "$out"
grade() { pegboard grade --all "$answers" --reports "$out/reports" --seed "$seed" "$@"; }
grade --format csv --out "$out/marks.csv"
grade --format json --out "$out/class.json"
grade --format text --out "$out/class.txt"
