"""Puts the halfspace command into the wheel: what packages/cli ships, without the lab's page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMMAND = Path(__file__).resolve().parents[2] / "packages" / "cli"

#: Parts of the command that need packages which the wheel lacks, or a browser.
LEFT_OUT = (".tsbuildinfo", "server.js", "commands-lab.js", "commands-serve.js", "report-page-vega.js")


class CommandHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        dist = COMMAND / "dist"
        if not (dist / "main.js").exists():
            raise RuntimeError("expected the built command in packages/cli/dist; found none: npm run build at the root")
        files = [COMMAND / "package.json", COMMAND / "LICENSE", COMMAND / "bin" / "halfspace.cjs"]
        files += [path for path in sorted(dist.iterdir()) if path.is_file() and path.name not in LEFT_OUT]
        for path in files:
            build_data["force_include"][str(path)] = f"halfspace_spark/command/{path.relative_to(COMMAND).as_posix()}"
