"""Slow, obvious NumPy twins of every kernel: the definition that the compiled code must match bit for bit."""
