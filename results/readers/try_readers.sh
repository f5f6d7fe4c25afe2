#!/usr/bin/env bash
# Tries every export with the reader that it is for: results/readers/try_readers.sh [PROGRAM]
#
# Makes a Python environment in READERS_VENV (default: a temporary one) with the readers that the package index has. Those
# that it has not are taken from checkouts of yours where these variables name them: P3_ANALYSIS
# (P3HPC/p3-analysis-library), CODE_BASE_INVESTIGATOR (P3HPC/code-base-investigator, which needs Python 3.12),
# GOOGLE_BENCHMARK (google/benchmark), GITHUB_ACTION_BENCHMARK (benchmark-action/github-action-benchmark, with its
# node_modules). What is not here is said and passed over. Exit status 1 where a reader refuses what it gets.
case "${1-}" in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" && exit ;; esac
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$(realpath "${1:-build/release/dwarfsweep}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
venv=${READERS_VENV:-$work/venv}
if [ ! -x "$venv/bin/python" ]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet kernel_tuner jsonschema reframe-hpc llvm-lnt pandas matplotlib scipy pathspec tabulate tqdm
fi
"$venv/bin/python" results/readers/try_readers.py "$program" "$work"
