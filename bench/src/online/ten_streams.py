"""Answers and learns a stream row by row with single learners of river and Vowpal Wabbit. Prints accuracies by name as JSON.

    python ten_streams.py FILE

Numbers are standardised and categories one-hot for river; bags of features and words are as they are.
"""

import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as lines:
    stream = [json.loads(line) for line in lines]
first = stream[0][1]
is_text = "text" in first
is_bag = is_text or all(name.isdigit() for name in first)
words = re.compile(r"\w+")


def bag(row):
    if not is_text:
        return row
    counts = {}
    for word in words.findall(row["text"].lower()):
        counts[word] = counts.get(word, 0) + 1
    return counts


rows = [(bag(row) if is_bag else row, label) for label, row in stream]


def judge_river(make):
    model = make()
    right = 0
    for row, label in rows:
        right += int(model.predict_one(row) or 0) == label
        model.learn_one(row, bool(label))
    return right / len(rows)


def river_learners():
    from river import compose, linear_model, naive_bayes, preprocessing, tree

    def with_scaling(model):
        if is_bag:
            return model
        numbers = compose.SelectType(int, float) | preprocessing.StandardScaler()
        if any(isinstance(value, str) for value in first.values()):
            return (numbers + (compose.SelectType(str) | preprocessing.OneHotEncoder())) | model
        return numbers | model

    yield "logistic", lambda: with_scaling(linear_model.LogisticRegression())
    yield "perceptron", lambda: with_scaling(linear_model.Perceptron())
    yield "passive-aggressive", lambda: with_scaling(linear_model.PAClassifier())
    yield "ALMA", lambda: with_scaling(linear_model.ALMAClassifier())
    if is_bag:
        yield "multinomial naive Bayes", lambda: naive_bayes.MultinomialNB()
    else:
        yield "adaptive Hoeffding tree", lambda: tree.HoeffdingAdaptiveTreeClassifier(seed=1)


def line_of(row, label):
    # Words may have the marks of the format.
    cells = (
        f"{name.replace(':', '_').replace('|', '_')}:{value}"
        if not isinstance(value, str)
        else f"{name}={value.replace(' ', '_').replace(':', '_').replace('|', '_')}"
        for name, value in row.items()
    )
    return f"{1 if label else -1} | {' '.join(cells)}"


def judge_wabbit(lines, options):
    from vowpalwabbit import Workspace

    workspace = Workspace(f"--quiet -b 20 {options}")
    right = 0
    for line, (_, label) in zip(lines, rows):
        example = workspace.parse(line)
        workspace.learn(example)
        # That of before the update.
        right += (example.get_simplelabel_prediction() > 0) == bool(label)
        workspace.finish_example(example)
    workspace.finish()
    return right / len(rows)


wabbit_modes = {
    "logistic": "--loss_function logistic",
    "hinge": "--loss_function hinge",
    "logistic, sgd": "--loss_function logistic --sgd",
    "FTRL": "--loss_function logistic --ftrl",
    "coin": "--loss_function logistic --coin",
}

found = {}
for name, make in river_learners():
    found[f"river, {name}"] = judge_river(make)
lines = [line_of(row, label) for row, label in rows]
for name, options in wabbit_modes.items():
    found[f"VW, {name}"] = judge_wabbit(lines, options)
print(json.dumps(found))
