"""What the scripts share: their orders are the first line of the input, the browser's answer is the second, and the steps are printed."""

import json
import sys
from types import SimpleNamespace

orders = SimpleNamespace(**json.loads(sys.stdin.readline()))


def browse(address):
    """Lets the user sign in at an address, and gives the one that the browser is sent back to."""
    print("open", address, flush=True)
    return sys.stdin.readline().strip()


def did(step):
    print("did", step, flush=True)
