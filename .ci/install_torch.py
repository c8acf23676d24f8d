"""Install PyTorch for the CPU, from the index that pip uses or from PyTorch's own.

On Linux, PyPI's build of torch depends on 5 GB of CUDA libraries; the tests need none of them. A
dry run tells whether the usual index would bring them.
"""

import json
import subprocess
import sys

TORCH = "torch==2.13.0"
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
PIP = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]


def brings_cuda() -> bool:
    """Whether installing torch from the usual index would install libraries of CUDA."""
    dry = [*PIP, "--dry-run", "--report", "-", TORCH]
    report = subprocess.run(dry, check=True, stdout=subprocess.PIPE).stdout
    names = [package["metadata"]["name"] for package in json.loads(report)["install"]]
    return any(name.startswith(("nvidia-", "cuda-")) for name in names)


def main() -> None:
    """Install it, or leave what is there and fits."""
    if brings_cuda():
        cpu = [*PIP, "--retries", "1", "--timeout", "15", "--index-url", CPU_INDEX, TORCH]
        if subprocess.run(cpu, check=False).returncode == 0:
            return
        print(f"warning: {CPU_INDEX} cannot be used: PyTorch comes with CUDA, 6 GB", flush=True)
    subprocess.run([*PIP, TORCH], check=True)


if __name__ == "__main__":
    main()
