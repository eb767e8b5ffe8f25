"""Writes the claims of a certificate as theorems of Coq, which its kernel proves by running the checkers of Certificate.v.

usage: claims.py CERTIFICATE ROWS > Claims.v; then coqc -Q FOLDER_OF_CERTIFICATE_V "" Claims.v

ROWS are the canonical rows, as `halfspace certify --canonical` writes them. What is proved stands in the theorems: about these rows, as
Claims.v has them. The weights that an `interior` does not state are computed here, in fractions. The digests are not looked at, nor are
the bounds on errors.
"""

import json
import sys
from fractions import Fraction
from math import lcm

certificate_path, rows_path = sys.argv[1:]
with open(certificate_path, encoding="utf-8") as file:
    certificate = json.load(file)
dimension = certificate["data"]["dimension"]
if certificate["verdict"] == "unknown" and certificate["ceiling"] is None:
    sys.exit("expected a verdict or a ceiling; got neither")


def number(text):
    digits, _, places = text.partition("p-")
    return Fraction(int(digits), 2 ** int(places)) if places else Fraction(text)


rows = []
with open(rows_path, encoding="ascii") as file:
    for line in file:
        label, *cells = line.split()
        x = [Fraction(0)] * dimension
        for cell in cells:
            j, value = cell.split(":")
            x[int(j)] = number(value)
        rows.append((label == "+1", x))
unit = lcm(*(value.denominator for _, x in rows for value in x))


def listed(numbers):
    return "[" + "; ".join(map(str, numbers)) + "]"


def parts(proof):
    """The weights of all rows, 0 for those that the proof does not name."""
    weights = [0] * len(rows)
    if len(set(proof["rows"])) < len(proof["rows"]) or not all(1 <= row <= len(rows) for row in proof["rows"]):
        sys.exit("expected numbers of rows, each once")
    for row, weight in zip(proof["rows"], proof["weights"]):
        weights[row - 1] = int(weight)
    return listed(weights)


def solved(matrix, right):
    """The solution of an equation in whole numbers, as numerators over one denominator (elimination without fractions, Bareiss 1968)."""
    size, before = len(matrix), 1
    system = [[*line, last] for line, last in zip(matrix, right)]
    for k in range(size):
        pivot = system[k][k]
        if pivot == 0:
            sys.exit("expected relations for all dependent features of the interior")
        for i in range(size):
            if i != k:
                factor = system[i][k]
                system[i] = [(pivot * a - factor * b) // before for a, b in zip(system[i], system[k])]
        before = pivot
    return [line[-1] for line in system], before


def cancelling(interior):
    """The contradiction near the weights of an interior: n(1 - z.u), where M u = r, times the denominator of u."""
    n = interior["weights"]
    dependent = {relation["features"][0] for relation in interior["relations"]}
    z = [[(1 if y else -1) * int(value * unit) for value in (*x, 1)] for y, x in rows]
    free = [j for j in range(dimension + 1) if j not in dependent and any(m and line[j] for m, line in zip(n, z))]
    z = [[line[j] for j in free] for line in z]
    weighted = [[m * each for each in line] for m, line in zip(n, z)]
    columns, others = list(zip(*z)), list(zip(*weighted))
    matrix = [[sum(a * b for a, b in zip(one, other)) for other in columns] for one in others]
    u, denominator = solved(matrix, [sum(one) for one in others])
    return [m * (denominator - sum(a * b for a, b in zip(line, u))) for m, line in zip(n, z)]


print("Require Import Reals ZArith List Bool Certificate.")
print("Import ListNotations.")
print("Open Scope Z_scope.")
print(f"Definition unit : positive := {unit}%positive.")
print("Definition rows : list row := [")
print(";\n".join(f"({str(y).lower()}, {listed(value * unit for value in x)})" for y, x in rows))
print("].")
run = "vm_cast_no_check (eq_refl true). Qed."
separator, ceiling = certificate["separator"], certificate["ceiling"]
if separator is not None:
    p, q = Fraction(separator["marginSquared"]).as_integer_ratio()
    print(f"Definition W : list Z := {listed(separator['weights'])}.")
    print(f"Definition B : Z := {separator['bias']}.")
    print(f"Theorem separable : separates unit (of_list W) (IZR B) rows")
    print(f"  /\\ has_margin unit {dimension} (of_list W) (IZR B) (sqrt (IZR {p} / IZR {q})) rows.")
    print(f"Proof. apply (separator_sound unit W B {p} {q} rows). {run}")
for k, contradiction in enumerate(certificate["contradictions"]):
    print(f"Theorem inseparable_{k + 1} : forall w b, ~ separates unit w b rows.")
    print(f"Proof. apply (contradiction_sound {parts(contradiction)} rows). {run}")
if certificate["interior"] is not None:
    print("Theorem inseparable : forall w b, ~ separates unit w b rows.")
    print(f"Proof. apply (contradiction_sound {listed(map(hex, cancelling(certificate['interior'])))} rows). {run}")
if ceiling is not None:
    p, q = Fraction(ceiling["marginSquared"]).as_integer_ratio()
    print(f"Theorem ceiling : forall w b m, has_margin unit {dimension} w b m rows -> (m <= sqrt (IZR {p} / IZR {q}))%R.")
    print(f"Proof. apply (ceiling_sound unit {dimension} {parts(ceiling)} {p} {q} rows). {run}")
