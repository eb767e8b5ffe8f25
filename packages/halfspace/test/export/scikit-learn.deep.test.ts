import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Predictor, rows, train } from 'halfspace';
import { fromJson, toScikitLearn } from 'halfspace/export';
import { afterAll, expect, test } from 'vitest';
import { goodRows } from './models.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspace-scikit-learn-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A Python with scikit-learn and pandas: that of the variable PYTHON, or python3. */
const python = process.env.PYTHON ?? 'python3';
const hasPackages = spawnSync(python, ['-c', 'import sklearn, pandas']).status === 0;
if (!hasPackages) console.warn(`not run: ${python} has no scikit-learn and pandas`);

const program = `
import json, sys
import pandas as pd
sys.path.insert(0, sys.argv[1])
from halfspace_pipeline import load
frame = pd.DataFrame(json.load(open("rows.json")))
for name in frame:
    if frame[name].dtype.kind not in "if":
        frame[name] = frame[name].astype(object).where(frame[name].notna(), None)
model = load("model.json")
print(json.dumps({"classes": model.predict(frame).tolist(), "scores": model.decision_function(frame).tolist()}))
`;

test.skipIf(!hasPackages)('a pipeline of scikit-learn has the classes of Predictor', async () => {
  const drop = { kind: 'drop' } as const;
  const kept = { price: drop, seen: drop, epoch: drop, note: drop, tags: drop, day: drop } as const;
  const crosses = [
    ['weight', 'colour'],
    ['colour', 'shop'],
  ] as const;
  const bins = { weight: { bins: 7 }, height: { bins: 3 } } as const;
  for (const [classes, rare, cut, rule] of [
    [['no', 'yes'], 1, {}, 'averaged'],
    [['no', 'yes'], 3, {}, 'averaged'],
    [['large', 'middling', 'small'], 3, {}, 'averaged'],
    [['large', 'middling', 'small'], 3, { columns: bins, crosses }, 'averaged'],
    [['no', 'yes'], 3, { columns: { shop: drop, height: drop } }, 'auto'],
  ] as const) {
    const plain = { ...kept, colour: { rare }, shop: { kind: 'category', rare: rare === 1 ? 1 : 12 } } as const;
    const features = { ...cut, columns: { ...plain, ...('columns' in cut ? cut.columns : {}) } };
    // Two columns that matter only together, so that the choice crosses them.
    const learned = goodRows(400, 4, classes).map((row) =>
      rule === 'auto' ? { ...row, class: classes[Number((row.weight as number) > 5 !== (row.colour === 'red'))] } : row,
    );
    const { model } = await train(rows(learned, { label: 'class', features } as never), { rule });
    expect('crosses' in model.features).toBe('columns' in cut);
    const predictor = new Predictor(model);
    const judged = goodRows(2000, 9, classes).map(({ class: _, ripe, ...row }, i) => ({
      ...row,
      ripe: ripe === null ? null : Number(ripe),
      colour: i % 50 === 0 ? 'never seen' : row.colour,
    }));
    const asked = judged.map(({ ripe, ...row }) => ({ ...row, ripe: ripe === null ? null : ripe === 1 }));
    writeFileSync(join(folder, 'model.json'), toScikitLearn(model));
    writeFileSync(join(folder, 'rows.json'), JSON.stringify(judged));
    const out = execFileSync(python, ['-c', program, resolve(import.meta.dirname, '../../python')], { cwd: folder });
    const answers = JSON.parse(out.toString()) as { classes: string[]; scores: (number | number[])[] };
    expect(answers.classes).toEqual(asked.map((row) => predictor.predict(row)));
    const again = new Predictor(fromJson(toScikitLearn(model)));
    expect(judged.map((row) => again.predict(row as never))).toEqual(answers.classes);
    asked.forEach((row, i) => {
      const scores = [answers.scores[i]!].flat();
      [...predictor.scores(row)].forEach((score, k) => {
        expect(Math.abs(scores[k]! - score)).toBeLessThan(1e-9);
      });
    });
  }
});
