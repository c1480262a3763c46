#!/usr/bin/env bash
# Gradescope runs this once while it builds the grader. The program lies in the zip beside this file, built on any Linux
# with `cargo build --release`.
set -euo pipefail
install -m 755 "${SOURCE:-/autograder/source}/pegboard" "${BIN:-/usr/local/bin}/pegboard"
