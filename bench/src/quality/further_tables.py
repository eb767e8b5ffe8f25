"""Tables that scikit-learn brings or makes: prints JSON {name: [{column: value}]}, the label in the column "class"."""

import json

import numpy
from sklearn.datasets import load_breast_cancer, load_digits, load_wine, make_classification


def main():
    tables = {name: rows(*bundled(load)) for name, load in BUNDLED.items()}
    tables.update({name: rows(*made(**options)) for name, options in MADE.items()})
    print(json.dumps(tables))


BUNDLED = {"wine": load_wine, "breast-cancer": load_breast_cancer, "digits": load_digits}
MADE = {
    "rare-class": {"n_samples": 5000, "n_features": 20, "n_informative": 6, "weights": [0.95], "flip_y": 0.02, "gaps": 0.1},
    "six-classes": {"n_samples": 3000, "n_features": 30, "n_informative": 12, "n_classes": 6, "class_sep": 1.5},
    "many-columns": {"n_samples": 400, "n_features": 500, "n_informative": 20, "class_sep": 2.0},
}


def bundled(load):
    """In an order of chance: as they come, they are sorted by class, and every fifth row would still be fair, but not every start."""
    data = load()
    order = numpy.random.RandomState(0).permutation(len(data.target))
    return data.data[order], data.target[order]


def made(gaps=0.0, **options):
    values, classes = make_classification(random_state=0, **options)
    values = values.round(4)
    values[numpy.random.RandomState(0).rand(*values.shape) < gaps] = numpy.nan
    return values, classes


def rows(values, classes):
    """A gap is null."""
    return [
        {**{f"x{j}": None if numpy.isnan(value) else float(value) for j, value in enumerate(row)}, "class": f"c{label}"}
        for row, label in zip(values, classes)
    ]


if __name__ == "__main__":
    main()
