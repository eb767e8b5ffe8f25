"""Checks a certificate against its data: the statements of docs/certificates.md, in Python's fractions, from the raw file.

usage: check_certificate.py CERTIFICATE DATA

DATA is a table of numbers without quotes (.csv; columns and label as the certificate names them) or libsvm text. The certificate's own
digest, which is over JSON as JavaScript writes it, is not looked at; all else is. Prints what holds; exits with 1 where it does not.
"""

import hashlib
import json
import sys
from fractions import Fraction
from math import ceil, inf

certificate_path, data_path = sys.argv[1:]
with open(certificate_path, encoding="utf-8") as file:
    certificate = json.load(file)
about = certificate["data"]
features = about["features"]
negative, positive = about["classes"]


def demand(condition, statement):
    if not condition:
        sys.exit(f"does not hold: {statement}")


for column in features.get("columns", []):
    # What the data do not determine.
    plain = features["scale"] == "none" and "edges" not in column
    demand(not plain or (column.get("mean", 0), column.get("deviation", 1)) == (0, 1), "no means of columns as they are")
    missing = column["missing"]
    demand(missing["count"] in (0, 1), "a count of 0 or 1")
    demand(missing["count"] == 1 or missing.get("fill") == column.get("mean"), "no value for cells that are not missing")
demand(features.get("leftOut", []) == [], "no columns but features")


def side(is_positive, is_negative):
    """The label of a row; the class of all others takes every other label."""
    demand(is_positive or is_negative or negative == f"not {positive}", "the classes are those of the data")
    return 1 if is_positive else -1


def number(text):
    """The number that a text means: itself, or the double nearest to it."""
    return Fraction(text) if about["numbers"] == "written" else Fraction(float(text))


def canonical(value):
    """A number as canonical rows have it: 3, -25e-1 or 5p-3."""
    base, letter = (10, "e") if about["numbers"] == "written" else (2, "p")
    places = 0
    while value.denominator > 1:
        value, places = value * base, places + 1
    return f"{value.numerator}{letter}-{places}" if places else str(value.numerator)


def same_number(text, name):
    try:
        return float(text) == float(name)
    except ValueError:
        return False


def read_table():
    with open(data_path, encoding="utf-8") as file:
        lines = [line.rstrip("\r\n").split(",") for line in file if line.strip()]
    names = lines.pop(0) if features["header"] else [f"column{c}" for c in range(len(lines[0]))]
    places = [names.index(column["name"]) for column in features["columns"]]
    label = names.index(features["label"]["column"])
    for column, c in zip(features["columns"], places):
        absent = any(cells[c].strip() in ("", "?", "NA") for cells in lines)
        demand(column["missing"]["count"] == absent, "missing cells where the features say")
    for cells in lines:
        y = side(cells[label].strip() == positive, cells[label].strip() == negative)
        x = []
        for column, c in zip(features["columns"], places):
            missing = cells[c].strip() in ("", "?", "NA")
            x.append(number(str(column["missing"]["fill"]) if missing else cells[c].strip()))
            if column["missing"]["indicator"]:
                x.append(Fraction(missing))
        yield y, dict(enumerate(x))


def read_libsvm():
    with open(data_path, encoding="utf-8") as file:
        for line in file:
            first, *rest = line.split()
            pairs = (cell.split(":") for cell in rest)
            y = side(same_number(first, positive), same_number(first, negative))
            yield y, {int(j): number(value) for j, value in pairs}


examples = []
digest = hashlib.sha256()
for y, values in read_table() if features["kind"] == "table" else read_libsvm():
    x = sorted((j, value) for j, value in values.items() if value != 0)
    digest.update(" ".join([f"{y:+d}", *(f"{j}:{canonical(value)}" for j, value in x)]).encode() + b"\n")
    examples.append((y, dict(x)))
demand({y for y, _ in examples} == {-1, 1}, "both classes are in the data")


def signed_scores(proof):
    w = [int(each) for each in proof["weights"]]
    b = int(proof["bias"])
    demand(len(w) == about["dimension"], "one weight for each feature")
    return [y * (sum(w[j] * value for j, value in x.items()) + b) for y, x in examples], w, b


def signed_sum(proof, examples=examples):
    """The weighted sum of y(x, 1), and of the weights."""
    parts = [int(each) for each in proof["weights"]]
    rows = proof["rows"]
    demand(len(rows) == len(parts) and len(set(rows)) == len(rows), "one weight for each row")
    demand(all(part > 0 for part in parts) and all(1 <= row <= len(examples) for row in rows), "positive weights of rows")
    total, constant = {}, 0
    for part, row in zip(parts, rows):
        y, x = examples[row - 1]
        constant += part * y
        for j, value in x.items():
            total[j] = total.get(j, 0) + part * y * value
    return total, constant, sum(parts)


demand(len(examples) == about["examples"], "the number of examples")
demand(about["digest"] == f"sha256:{digest.hexdigest()}", "the digest of the data")
radius = max(sum(value**2 for value in x.values()) for _, x in examples)
demand(Fraction(certificate["radiusSquared"]) == radius, "the radius")

verdict = certificate["verdict"]
separator, ceiling, errors = certificate["separator"], certificate["ceiling"], certificate["errors"]
contradictions = certificate["contradictions"]
demand((verdict == "separable") == (separator is not None), "a separator for separable data")
interior = certificate["interior"]
demand((verdict == "not-separable") == (len(contradictions) > 0 or interior is not None), "a contradiction for data that are not")
demand(interior is None or not contradictions, "contradictions or an interior")
if separator is not None:
    scores, w, b = signed_scores(separator)
    least, norm = min(scores), sum(each**2 for each in w)
    demand(least > 0, "every example on its side")
    demand(Fraction(separator["marginSquared"]) == least**2 / norm, "the margin")
    demand(Fraction(separator["absorbedMarginSquared"]) == least**2 / (norm + b**2), "the absorbed margin")
if ceiling is not None:
    total, constant, weight = signed_sum(ceiling)
    demand(constant == 0, "classes of equal weight")
    demand(Fraction(ceiling["marginSquared"]) == sum(each**2 for each in total.values()) / weight**2, "the ceiling")


def demand_contradiction(contradiction, examples=examples):
    total, constant, weight = signed_sum(contradiction, examples)
    demand(constant == 0 and all(each == 0 for each in total.values()), "a contradiction")
    demand(int(contradiction["total"]) == weight, "the sum of its weights")


for contradiction in contradictions:
    demand_contradiction(contradiction)
if interior is not None:
    # The definition, without its bounds: every n(1 - z.u) is positive, where M u = r is solved exactly.
    n = interior["weights"]
    demand(len(n) == len(examples) and all(isinstance(each, int) and each >= 0 for each in n), "one weight for each example")
    constant = about["dimension"]
    z = [{constant: Fraction(y), **{j: y * value for j, value in x.items()}} for (y, x), each in zip(examples, n) if each > 0]
    n = [each for each in n if each > 0]
    dependent = {relation["features"][0] for relation in interior["relations"]}
    demand(len(dependent) == len(interior["relations"]) and constant not in dependent, "one relation for each dependent feature")
    for relation in interior["relations"]:
        coefficients = {j: int(each) for j, each in zip(relation["features"], relation["coefficients"], strict=True)}
        demand(len(coefficients) == len(relation["features"]) and 0 not in coefficients.values(), "coefficients of a relation")
        demand(not dependent & set(relation["features"][1:]), "a relation with independent features")
        for row in z:
            demand(sum(each * row.get(j, 0) for j, each in coefficients.items()) == 0, "a relation of features")
    free = sorted({j for row in z for j in row} - dependent)
    system = [[sum(each * row.get(j, 0) * row.get(k, 0) for each, row in zip(n, z)) for k in free] for j in free]
    for j, line in zip(free, system):
        line.append(sum(each * row.get(j, 0) for each, row in zip(n, z)))
    for pivot in range(len(free)):
        demand(system[pivot][pivot] > 0, "independent features")
        for lower in range(len(free)):
            if lower != pivot and system[lower][pivot] != 0:
                factor = system[lower][pivot] / system[pivot][pivot]
                system[lower] = [a - factor * b for a, b in zip(system[lower], system[pivot])]
    u = {j: line[-1] / line[k] for k, (j, line) in enumerate(zip(free, system))}
    demand(all(sum(value * u.get(j, 0) for j, value in row.items()) < 1 for row in z), "positive weights that cancel")


def errors_of_cones(cones, examples=examples, must=None):
    """The least number of errors that a cone proves for its lines: v with v.z for z = y(f(x - c), f0). Row `must` is right."""
    c, f = [int(each) for each in cones["centre"]], [int(each) for each in cones["factors"]]
    demand(len(c) == about["dimension"] and len(f) == len(c) + 1 and min(f) >= 0 and f[-1] > 0, "factors of cones")
    axes = [j for j, each in enumerate(f) if each > 0]
    letter = "e-" if about["numbers"] == "written" else "p-"
    places = [int(canonical(value).partition(letter)[2] or 0) for _, x in examples for value in x.values()]
    unit = (10 if letter == "e-" else 2) ** max(places, default=0)
    z = []
    for y, x in examples:
        own = [x.get(j, 0) * unit - each for j, each in enumerate(c)] + [1]
        demand(all(f[j] > 0 or value == 0 for j, value in enumerate(own)), "a feature without a ray is the same in all rows")
        z.append([int(y * f[j] * own[j]) for j in axes])
    splits, pairs = iter(cones["splits"]), iter(cones["pairs"])
    bounds = []

    def look(rays, rows, sure):
        right = [i for i in rows if any(ray[i] > 0 for ray in rays)]
        sure += len(rows) - len(right)
        if must in rows and must not in right:
            sure = inf
        rows = [i for i in right if any(ray[i] < 0 for ray in rays)]
        split = next(splits)
        if split is None:
            listed, free = next(pairs), set(rows)
            demand(len(listed) % 4 == 0, "rows and multipliers of pairs")
            for i, m, j, n in zip(*[iter(listed)] * 4):
                demand(i != j and i - 1 in free and j - 1 in free, "pairs without common rows")
                demand(all(isinstance(each, int) and each > 0 for each in (m, n)), "multipliers of a pair")
                demand(all(m * ray[i - 1] + n * ray[j - 1] <= 0 for ray in rays), "a pair on which every line of the cone errs")
                free -= {i - 1, j - 1} - {must}
            bounds.append(sure + len(listed) // 4)
            return []
        a, b, p, q = split
        p, q = int(p), int(q)
        demand(a != b and {a, b} <= set(range(len(rays))) and p > 0 and q > 0, "a split between two rays")
        middle = {i: p * rays[a][i] + q * rays[b][i] for i in rows}
        return [([middle if k == at else ray for k, ray in enumerate(rays)], rows, sure) for at in (a, b)]

    for signs in range(2 ** len(axes)):
        rays = [{i: -row[r] if signs >> r & 1 else row[r] for i, row in enumerate(z)} for r in range(len(axes))]
        waiting = [(rays, list(range(len(z))), 0)]
        while waiting:
            waiting.extend(reversed(look(*waiting.pop())))
    demand(next(splits, 0) == 0 and next(pairs, 0) == 0, "all cones in the tree")
    return min(bounds)


if errors is not None and errors["cones"] is not None:
    demand(errors["prices"] == [] and int(errors["unit"]) > 0, "no prices with cones")
    try:
        demand(errors["atLeast"] == errors_of_cones(errors["cones"]), "as many errors as the cones prove")
    except StopIteration:
        demand(False, "all cones in the tree")
elif errors is not None and interior is not None:
    demand(errors["prices"] == [] and errors["atLeast"] == 1, "one error for an interior")
elif errors is not None:
    prices = [Fraction(int(price), int(errors["unit"])) for price in errors["prices"]]
    demand(len(prices) == len(contradictions) and min(prices) >= 0, "a price for each contradiction")
    of_row = {}
    for price, contradiction in zip(prices, contradictions):
        for row in contradiction["rows"]:
            of_row[row] = of_row.get(row, 0) + price
    demand(max(of_row.values()) <= 1, "prices of a row up to 1")
    demand(errors["atLeast"] == ceil(sum(prices)), "as many errors as the prices")
if errors is not None:
    scores, _, _ = signed_scores(errors)
    demand(errors["atMost"] == sum(score <= 0 for score in scores), "the errors of a line")
for prediction in certificate["predictions"]:
    label, *cells = prediction["row"].split(" ")
    pairs = [(int(j), value.replace("p-", "e-").partition("e-")) for j, value in (cell.split(":") for cell in cells)]
    base = 2 if "p-" in prediction["row"] else 10
    asked = {j: Fraction(int(digits), base ** int(places or 0)) for j, (digits, _, places) in pairs}
    demand(label in ("+1", "-1") and all(0 <= j < about["dimension"] for j in asked), "a row of a prediction")
    demand(len(asked) == len(cells) and not (base == 2 and "e-" in prediction["row"]), "a row of a prediction")
    extended = [*examples, (int(label), asked)]
    taken = [row for each in prediction["contradictions"] for row in each["rows"] if row <= len(examples)]
    demand(len(taken) == len(set(taken)), "contradictions without common rows")
    for contradiction in prediction["contradictions"]:
        demand_contradiction(contradiction, extended)
    proved = len(prediction["contradictions"])
    if prediction["cones"] is not None:
        demand(proved == 0, "contradictions or cones")
        proved = errors_of_cones(prediction["cones"], extended, len(examples))
    demand(prediction["atLeast"] == proved, "as many errors of lines that call a row otherwise")
print(f"holds: {verdict}")
