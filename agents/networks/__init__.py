"""Trained networks without the library that trained them: files, and what is computed from them.

- ``layers.py``: a forward pass in NumPy, from a list of layers;
- ``checkpoint.py``: the file, safetensors with a little JSON in its header;
- ``pytorch.py``: from modules of PyTorch to such a file, and back.
"""
