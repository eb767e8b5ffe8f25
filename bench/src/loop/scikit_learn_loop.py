"""Times scikit-learn's fit alone: arrays in memory, passes from a zero start, tol=None so that none is left out.

RULE FOLDER PASSES REPEATS [COLUMNS]   with COLUMNS dense rows of float32, otherwise CSR rows of float64; prints
  {"numbers", "nanoseconds": [per number and pass, one per repeat], "accuracy", "values"}
"""

import json
import os
import sys
import time
import warnings

import numpy
import scipy.sparse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "peers"))
from scikit_learn import classifier  # noqa: E402

warnings.filterwarnings("ignore", category=FutureWarning)


def read_sparse(folder):
    parts = []
    for prefix in (os.path.join(folder, "train"), os.path.join(folder, "heldout")):
        offsets = numpy.fromfile(f"{prefix}.offsets", "<u4").astype(numpy.int32)
        indices = numpy.fromfile(f"{prefix}.indices", "<u4").astype(numpy.int32)
        values = numpy.fromfile(f"{prefix}.values", "<f8")
        rows = scipy.sparse.csr_matrix((values, indices, offsets), shape=(len(offsets) - 1, int(indices.max()) + 1))
        parts.append((rows, numpy.fromfile(f"{prefix}.labels", "<f8")))
    columns = max(x.shape[1] for x, _ in parts)
    for x, _ in parts:
        x.resize(x.shape[0], columns)
    return parts


def read_dense(folder, columns):
    prefixes = (os.path.join(folder, "train"), os.path.join(folder, "heldout"))
    return [
        (numpy.fromfile(f"{prefix}.values", "<f4").reshape(-1, columns), numpy.fromfile(f"{prefix}.labels", "<f8"))
        for prefix in prefixes
    ]


def main(rule, folder, passes, repeats, columns=None):
    (x, y), (test_x, test_y) = read_sparse(folder) if columns is None else read_dense(folder, int(columns))
    numbers = x.nnz if columns is None else x.size

    nanoseconds = []
    for repeat in range(-1, int(repeats)):
        began = time.perf_counter()
        fitted = classifier(rule, int(passes)).fit(x, y)
        per_number = (time.perf_counter() - began) * 1e9 / (numbers * int(passes))
        if repeat >= 0:  # the first run warms up
            nanoseconds.append(per_number)
    accuracy = fitted.score(test_x, test_y)
    print(json.dumps({"numbers": numbers, "nanoseconds": nanoseconds, "accuracy": accuracy, "values": str(x.dtype)}))


main(*sys.argv[1:])
