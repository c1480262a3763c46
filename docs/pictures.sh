#!/bin/sh
# Writes the README's pictures anew; fails where they were not up to date.
set -e
cd "$(dirname "$0")/.."
cargo run --quiet -- pictures docs/pictures
git diff --exit-code --stat -- docs/pictures
