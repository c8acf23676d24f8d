"""States the package's version, for the package and the files that it writes."""

__version__ = "0.1.0"
