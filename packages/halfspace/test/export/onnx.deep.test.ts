import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Predictor } from 'halfspace';
import { fromOnnx, scoreBound, toOnnx } from 'halfspace/export';
import { Random } from 'halfspace/runs';
import { afterAll, expect, test } from 'vitest';
import type { TableEncoding } from '../../src/features/table-encoding.ts';
import { anyRow, rawCells, tableModels } from './models.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspace-onnx-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string) => join(folder, name);

/** That of the variable PYTHON, or python3. */
const python = process.env.PYTHON ?? 'python3';
function has(...packages: string[]): boolean {
  const found = spawnSync(python, ['-c', `import ${packages.join(', ')}`]).status === 0;
  if (!found) console.warn(`not run: ${python} has no ${packages.join(', ')}`);
  return found;
}

const checked = `
import json, sys
import numpy as np
import onnx, onnxruntime
answers = []
for number, feeds in enumerate(json.load(open("rows.json"))):
    onnx.checker.check_model(f"{number}.onnx", full_check=True)
    session = onnxruntime.InferenceSession(f"{number}.onnx")
    types = {each.name: object if "string" in each.type else float for each in session.get_inputs()}
    label, scores = session.run(["label", "scores"], {
        name: np.array(cells, dtype=types[name]).reshape(-1, 1) for name, cells in feeds.items()
    })
    answers.append({"labels": label.tolist(), "scores": scores.tolist()})
print(json.dumps(answers))
`;

test.skipIf(!has('onnx', 'onnxruntime'))(
  'onnx.checker passes the files, and ONNX Runtime in Python gives the classes and scores',
  async () => {
    const models = [...(await tableModels({ text: false }))];
    const random = new Random(11);
    const asked = models.map(([, model]) => {
      const predictor = new Predictor(model);
      return Array.from({ length: 1500 }, () => anyRow(random)).filter((row) => {
        try {
          predictor.scores(row);
          return true;
        } catch {
          return false;
        }
      });
    });
    const feeds = models.map(([, model], m) => {
      const encoding = model.features as TableEncoding;
      const cells = asked[m]!.map((row) => rawCells(encoding, row));
      return Object.fromEntries(
        encoding.columns.map(({ name, kind }, c) => [
          name,
          cells.map((row) => row[c] ?? (kind === 'category' ? '' : null)),
        ]),
      );
    });
    models.forEach(([, model], m) => {
      writeFileSync(file(`${m}.onnx`), toOnnx(model));
    });
    writeFileSync(file('rows.json'), JSON.stringify(feeds));
    const out = execFileSync(python, ['-c', checked], { cwd: folder, maxBuffer: 2 ** 28 });
    const answers = JSON.parse(out.toString()) as { labels: string[]; scores: number[][] }[];
    models.forEach(([name, model], m) => {
      const predictor = new Predictor(model);
      const bound = scoreBound(model)?.usual ?? 0;
      asked[m]!.forEach((row, i) => {
        const scores = [...predictor.scores(row)];
        scores.forEach((score, k) => {
          expect(Math.abs(answers[m]!.scores[i]![k]! - score), name).toBeLessThanOrEqual(bound);
        });
        const [best, second] = scores.length === 1 ? [Math.abs(scores[0]!), 0] : scores.toSorted((a, b) => b - a);
        if (best! - second! > 2 * bound || bound === 0)
          expect(answers[m]!.labels[i], name).toBe(predictor.predict(row));
      });
      expect(asked[m]!.length).toBeGreaterThan(200);
    });
  },
);

const written = `
import json
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from skl2onnx import to_onnx
import onnxruntime
random = np.random.default_rng(5)
X = (random.normal(size=(600, 6)) * [1, 5, 0.1, 100, 1, 1] + [0, 3, 0, 50, 1, 0]).astype(np.float32)
score = X[:, 0] + X[:, 1] / 5 - X[:, 3] / 100 + random.normal(size=600) / 3
three = np.array(["low", "middle", "high"])[np.digitize(score, [0, 0.7])]
answers = []
for model, y in [
    (LogisticRegression(), score > 0.3), (LogisticRegression(), three), (LinearSVC(), three), (LinearSVC(), (score > 0).astype(int) * 9),
    (make_pipeline(StandardScaler(), LogisticRegression()), (score > 0.3).astype(int)),
    (make_pipeline(StandardScaler(), LogisticRegression()), three),
]:
    model.fit(X, y if y.dtype != bool else y.astype(int))
    data = to_onnx(model, X[:1]).SerializeToString()
    open(f"in{len(answers)}.onnx", "wb").write(data)
    session = onnxruntime.InferenceSession(data)
    label = session.run([session.get_outputs()[0].name], {"X": X})[0]
    answers.append({"classes": [str(each) for each in label], "scores": model.decision_function(X).reshape(600, -1).tolist()})
print(json.dumps({"rows": X.astype(float).tolist(), "answers": answers}))
`;

test.skipIf(!has('sklearn', 'skl2onnx', 'onnxruntime'))('classifiers that skl2onnx wrote keep their classes', () => {
  const out = execFileSync(python, ['-W', 'ignore', '-c', written], { cwd: folder, maxBuffer: 2 ** 28 });
  const { rows, answers } = JSON.parse(out.toString()) as {
    rows: number[][];
    answers: { classes: string[]; scores: number[][] }[];
  };
  answers.forEach(({ classes, scores }, m) => {
    const predictor = new Predictor(fromOnnx(readFileSync(file(`in${m}.onnx`))));
    rows.forEach((row, i) => {
      const own = [...predictor.scores(row)];
      // Weights are rounded to floats in the file, of 24 bits.
      own.forEach((score, k) => {
        expect(Math.abs(score - scores[i]![k]!)).toBeLessThan(1e-5 * (1 + Math.abs(score)));
      });
      const [best, second] = own.length === 1 ? [Math.abs(own[0]!), 0] : own.toSorted((a, b) => b - a);
      if (best! - second! > 1e-4) expect(predictor.predict(row)).toBe(classes[i]);
    });
  });
  expect(answers.length).toBe(6);
});
