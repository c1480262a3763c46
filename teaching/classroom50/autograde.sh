#!/usr/bin/env bash
# The script of a Classroom 50 assignment: it runs in the student's checkout and leaves result.json there. The runner gives
# CLASSROOM, ASSIGNMENT, OWNER, SUBMISSION_TAG and the addresses in the environment.
set -uo pipefail
pegboard grade --submission answers --exercises X3,X4,X9 --format classroom50 --out result.json
code=$?
pegboard grade --submission answers --exercises X3,X4,X9 > release-body.md
# 3: an answer could not be graded; result.json gives it no points, and the runner must see a graded run.
[ "$code" -eq 0 ] || [ "$code" -eq 3 ]
