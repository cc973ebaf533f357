"""Readers and writers of files."""

from tilelab.io import dds

__all__ = ["dds"]
