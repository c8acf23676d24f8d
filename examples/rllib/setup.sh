#!/bin/sh
# RLlib pins gymnasium==1.2.2, so it gets an environment of its own: build/rllib, about 2 GB.
#
#     sh examples/rllib/setup.sh                 # then:
#     build/rllib/bin/python examples/rllib/train.py
#
# torch comes first, in the version whose build for the CPU is wanted.
set -eu
cd "$(dirname "$0")/../.."
"${PYTHON:-python3}" -m venv build/rllib
build/rllib/bin/pip install --quiet torch==2.13.0
build/rllib/bin/pip install --quiet "ray[rllib]==2.60.0" tqdm --editable .
build/rllib/bin/python examples/rllib/train.py --steps 2000
