#!/bin/sh
# Writes the README's pictures anew; a test fails where they are not what the program draws.
set -e
cd "$(dirname "$0")/.."
cargo run --quiet -- pictures docs/pictures
