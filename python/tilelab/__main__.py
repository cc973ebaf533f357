"""``python -m tilelab``."""

import sys

from tilelab.cli import main

sys.exit(main())
