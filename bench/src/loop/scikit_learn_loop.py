"""Times scikit-learn's fit alone: CSR float64 in memory, passes from a zero start, tol=None so that none is left out.

RULE FOLDER PASSES REPEATS   prints {"nonzeros", "nanoseconds": [per nonzero and pass, one per repeat], "accuracy"}
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


def read(prefix, features=None):
    offsets = numpy.fromfile(f"{prefix}.offsets", "<u4").astype(numpy.int32)
    indices = numpy.fromfile(f"{prefix}.indices", "<u4").astype(numpy.int32)
    values = numpy.fromfile(f"{prefix}.values", "<f8")
    labels = numpy.fromfile(f"{prefix}.labels", "<f8")
    columns = features or int(indices.max()) + 1
    return scipy.sparse.csr_matrix((values, indices, offsets), shape=(len(labels), columns)), labels


def main(rule, folder, passes, repeats):
    x, y = read(os.path.join(folder, "train"))
    test_x, test_y = read(os.path.join(folder, "heldout"))
    columns = max(x.shape[1], test_x.shape[1])
    x.resize(x.shape[0], columns)
    test_x.resize(test_x.shape[0], columns)

    nanoseconds = []
    for repeat in range(-1, int(repeats)):
        began = time.perf_counter()
        fitted = classifier(rule, int(passes)).fit(x, y)
        per_nonzero = (time.perf_counter() - began) * 1e9 / (x.nnz * int(passes))
        if repeat >= 0:  # the first run warms up
            nanoseconds.append(per_nonzero)
    accuracy = fitted.score(test_x, test_y)
    print(json.dumps({"nonzeros": x.nnz, "nanoseconds": nanoseconds, "accuracy": accuracy}))


main(*sys.argv[1:])
