"""Runs the Python of docs/spark.md as one program."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[3] / "docs" / "spark.md"


def test_the_python_of_the_page_runs(tmp_path: Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    assert blocks
    (tmp_path / "mails").mkdir()
    mails = [{"id": i, "sender": "abc"[i % 3], "links": i % 9, "spam": "no" if i % 9 < 4 else "yes"} for i in range(90)]
    (tmp_path / "mails" / "1.json").write_text("\n".join(json.dumps(mail) for mail in mails))
    subprocess.run([sys.executable, "-c", "\n".join(blocks)], cwd=tmp_path, check=True)
    for name in ("spam", "stays"):
        assert json.loads((tmp_path / f"{name}.model.json").read_text())["classes"] == ["no", "yes"]
