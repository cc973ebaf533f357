"""One progress bar for all long work."""

from __future__ import annotations

from typing import Any

from tilelab import _extras


def progress_bar(iterable: Any = None, **options: Any) -> Any:
    """Make a tqdm bar that is shown only when a terminal or a notebook is there.

    Parameters
    ----------
    iterable : iterable, optional
        What to step through.
    **options
        Arguments of tqdm: ``total``, ``desc``, ``unit``.

    Returns
    -------
    tqdm.auto.tqdm
        The bar, to be used as a context manager.
    """
    bar = _extras.require("tqdm.auto", "plot").tqdm
    notebook_bar = _extras.require("tqdm.notebook", "plot").tqdm_notebook
    # disable=None asks the output stream whether it is a terminal; a notebook's stream says no.
    options["disable"] = False if issubclass(bar, notebook_bar) else None
    return bar(iterable, leave=False, **options)
