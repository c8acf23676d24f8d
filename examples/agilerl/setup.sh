#!/bin/sh
# AgileRL asks for pettingzoo<1.27 and imports peft without asking for it. With pettingzoo 1.27 its
# DQN works all the same: pip warns of the conflict, hence an environment of its own, build/agilerl
# (some 5 GB).
#
#     sh examples/agilerl/setup.sh [FOLDER]      # then:
#     build/agilerl/bin/python examples/agilerl/train.py
set -eu
folder="${1:-build/agilerl}"
case "$folder" in /*) ;; *) [ $# -eq 0 ] || folder="$PWD/$folder" ;; esac
cd "$(dirname "$0")/../.."
"${PYTHON:-python3}" -m venv "$folder"
"$folder/bin/pip" install --quiet torch==2.13.0 agilerl==2.58.0 peft tqdm
"$folder/bin/pip" install --quiet --editable .
"$folder/bin/python" examples/agilerl/train.py --steps 2000
