"""Over Spark Connect, users get what a classic session gives."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from pyspark.sql import SparkSession
from test_classifier import of_table, of_vectors, table, vectors


def test_connect_gives_the_bits_of_a_classic_session(local: SparkSession, tmp_path: Path) -> None:
    script = Path(__file__).parent / "over_connect.py"
    # With SPARK_TESTING the server takes any free port.
    environment = {**os.environ, "SPARK_TESTING": "1"}
    run = subprocess.run([sys.executable, script, tmp_path], env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    found = json.loads((tmp_path / "found.json").read_text())
    assert found["session"] == "pyspark.sql.connect.session"
    expected = of_table().fit(table(local))
    assert found["table"] == found["kept"] == expected.modelText
    assert found["right"] == expected.transform(table(local)).where("prediction = label").count()
    assert found["vectors"] == of_vectors(holdout=0.3, calibrate="platt").fit(vectors(local)).modelText
    assert found["probability"] == "probability"
    assert found["pipeline"]
    sentence = 'id 4711, column "size": expected a finite number; got Infinity'
    assert found["refused"].endswith(sentence)
    assert f"DataError: rows, {sentence}" in found["unpredictable"]
    assert found["stream"] == 90
