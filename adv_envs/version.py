"""The version of the package, where files that it writes and the package itself find it."""

__version__ = "0.1.0"
