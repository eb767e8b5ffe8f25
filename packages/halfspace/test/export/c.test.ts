import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Model, Predictor } from 'halfspace';
import { toC } from 'halfspace/export';
import { Random } from 'halfspace/runs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CategoryColumn, TableEncoding } from '../../src/features/table-encoding.ts';
import { anyRow, rawCells, tableModels } from './models.ts';

const compiler = ['gcc', 'clang', 'cc'].find((name) => spawnSync(name, ['--version']).status === 0);
const folder = mkdtempSync(join(tmpdir(), 'halfspace-c-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The row that the C program takes: one double per column. */
function doubles(encoding: TableEncoding, row: Record<string, unknown>): number[] {
  return rawCells(encoding, row).map((cell, c) => {
    if (typeof cell === 'number') return cell;
    return cell === null ? Number.NaN : (encoding.columns[c] as CategoryColumn).levels.indexOf(cell);
  });
}

/** Compiles a model, and returns a function that gives scores, class and probabilities of rows. */
function compiled(
  model: Model,
  name: string,
): (rows: readonly (readonly number[])[]) => { class: string; numbers: number[] }[] {
  const calibrated = model.calibration !== null;
  writeFileSync(join(folder, `${name}.h`), toC(model));
  writeFileSync(
    join(folder, `${name}.c`),
    `#include <stdio.h>
#include "${name}.h"
int main(void) {
  static double row[model_columns + 1], scores[model_scores_length], p[model_classes];
  while (fread(row, sizeof(double), model_columns, stdin) == model_columns) {
    model_scores(row, scores);
    printf("%s", model_class_names[model_predict(row)]);
    for (int k = 0; k < model_scores_length; k++) printf("\\t%.17g", scores[k]);
    ${calibrated ? 'model_probabilities(row, p); for (int k = 0; k < model_classes; k++) printf("\\t%.17g", p[k]);' : '(void)p;'}
    printf("\\n");
  }
  return 0;
}
`,
  );
  const flags = ['-std=c99', '-Wall', '-Wextra', '-Wpedantic', '-Werror', '-O1', '-ffp-contract=off'];
  execFileSync(compiler!, [...flags, '-o', join(folder, name), join(folder, `${name}.c`)], { stdio: 'pipe' });
  return (rows) => {
    const out = execFileSync(join(folder, name), {
      input: Buffer.from(Float64Array.from(rows.flat()).buffer),
      maxBuffer: 1 << 26,
    });
    return out
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [name, ...numbers] = line.split('\t');
        return { class: name!, numbers: numbers.map(Number) };
      });
  };
}

let models: Map<string, Model>;
beforeAll(async () => {
  models = await tableModels({ text: false });
});

test.skipIf(compiler === undefined)('a C program has the bits of Predictor', () => {
  let tested = 0;
  for (const [name, model] of models) {
    const random = new Random(5);
    const predictor = new Predictor(model);
    const asked: number[][] = [];
    const expected: { class: string; numbers: number[] }[] = [];
    while (asked.length < (process.env.TEST_DEEP ? 10_000 : 300)) {
      const row = anyRow(random);
      try {
        const scores = [...predictor.scores(row)];
        const p = model.calibration === null ? [] : predictor.probabilities(row);
        expected.push({ class: String(predictor.predict(row)), numbers: [...scores, ...p] });
        asked.push(doubles(model.features as TableEncoding, row));
      } catch {}
    }
    expect(compiled(model, `m${tested++}`)(asked), name).toStrictEqual(expected);
  }
  expect(tested).toBe(models.size);
});
