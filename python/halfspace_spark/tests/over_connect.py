"""Does what users do over Spark Connect, in a process and a session of its own. Prints what it found as JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pyspark.errors import PythonException
from pyspark.ml import Pipeline, PipelineModel
from pyspark.ml.feature import StringIndexer
from pyspark.sql import SparkSession
from test_classifier import TABLE, of_table, of_vectors, table, vectors

from halfspace_spark import DataError, HalfspaceClassifier, HalfspaceModel, HalfspaceStream


def main(folder: Path) -> dict[str, object]:
    spark = SparkSession.builder.remote("local[2]").config("spark.sql.shuffle.partitions", "4").getOrCreate()
    rows = table(spark)
    model = of_table().fit(rows)
    model.save(str(folder / "model"))
    found: dict[str, object] = {
        "session": type(spark).__module__,
        "table": model.modelText,
        "kept": HalfspaceModel.load(str(folder / "model")).modelText,
        "right": model.transform(rows).where("prediction = label").count(),
    }
    calibrated = of_vectors(holdout=0.3, calibrate="platt").fit(vectors(spark))
    found["vectors"] = calibrated.modelText
    found["probability"] = calibrated.transform(vectors(spark)).columns[-1]
    index = StringIndexer(inputCol="kind", outputCol="k")
    pipeline = Pipeline(stages=[index, HalfspaceClassifier(inputCols=["size", "k"], idCol="id", shards=2, maxIter=2)])
    fitted = pipeline.fit(rows)
    fitted.save(str(folder / "pipeline"))
    again = PipelineModel.load(str(folder / "pipeline"))
    found["pipeline"] = again.transform(rows).collect() == fitted.transform(rows).collect()
    bad = spark.createDataFrame([(4711, float("inf"), "u", True, "yes")], TABLE)
    try:
        of_table().fit(rows.union(bad))
    except DataError as error:
        found["refused"] = str(error)
    try:
        model.transform(bad).collect()
    except PythonException as error:
        found["unpredictable"] = str(error)
    found["stream"] = streamed(spark, folder)
    spark.stop()
    return found


def streamed(spark: SparkSession, folder: Path) -> int:
    """Learns from a stream, and returns the number of rows learned."""
    (folder / "mails").mkdir()
    mails = [{"id": i, "links": i % 9, "spam": "no" if i % 9 < 4 else "yes"} for i in range(90)]
    (folder / "mails" / "1.json").write_text("\n".join(json.dumps(mail) for mail in mails))
    read = spark.readStream.schema("id long, links double, spam string").json(str(folder / "mails"))
    learner = HalfspaceStream(folder / "learner", labelCol="spam", inputCols=["links"], idCol="id", rule="perceptron")
    writer = read.writeStream.foreachBatch(learner).option("checkpointLocation", str(folder / "checkpoint"))
    writer.trigger(availableNow=True).start().awaitTermination()
    rows: int = json.loads(learner.model_text())["training"]["examples"]
    return rows


if __name__ == "__main__":
    (Path(sys.argv[1]) / "found.json").write_text(json.dumps(main(Path(sys.argv[1]))))
