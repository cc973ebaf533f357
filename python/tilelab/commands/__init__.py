"""Subcommands of the command line, one file each with ``register(subparsers)``."""

COMMANDS = (
    "tour",
    "info",
    "rates",
    "layout",
    "swizzle",
    "deswizzle",
)
