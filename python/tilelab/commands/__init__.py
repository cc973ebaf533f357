"""Subcommands of the command line, one file each with ``register(subparsers)``."""

__all__ = ["COMMANDS"]
__dir__ = __all__.copy

COMMANDS = (
    "tour",
    "info",
    "rates",
    "layout",
    "swizzle",
    "deswizzle",
)
"""Names of the subcommands, which are those of their modules, in the order that help shows."""
