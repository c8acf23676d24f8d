#!/bin/sh
# RLlib pins gymnasium==1.2.2, so it gets an environment of its own: build/rllib, about 2 GB.
#
#     sh examples/rllib/setup.sh [FOLDER]        # then:
#     build/rllib/bin/python examples/rllib/train.py
#
# At the end it runs the test of the callback, and a short training.
# torch comes first, in the version whose build for the CPU is wanted.
set -eu
folder="${1:-build/rllib}"
case "$folder" in /*) ;; *) [ $# -eq 0 ] || folder="$PWD/$folder" ;; esac
cd "$(dirname "$0")/../.."
"${PYTHON:-python3}" -m venv "$folder"
"$folder/bin/pip" install --quiet torch==2.13.0
"$folder/bin/pip" install --quiet "ray[rllib]==2.60.0" --editable ".[learn]" hypothesis pytest pytest-xdist
"$folder/bin/python" -m pytest -q -n 0 tests/test_grade_log.py -k rllib
rm -rf "$folder/run"
"$folder/bin/python" examples/rllib/train.py --steps 2000 --out "$folder/run"
