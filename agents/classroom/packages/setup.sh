#!/usr/bin/env bash
# Gradescope runs this once, when the autograder is built. Choose an image with Python 3.11 or newer,
# such as Ubuntu 24.04. A wheel of adv-envs beside this file is installed; without one, pip looks for it.
set -euo pipefail

apt-get update
apt-get install --yes python3 python3-venv
python3 -c 'import sys; sys.exit("Python 3.11 or newer is needed: choose a newer base image"
                                 if sys.version_info < (3, 11) else 0)'
python3 -m venv /autograder/venv
/autograder/venv/bin/pip install --find-links /autograder/source "adv-envs[lab]"
