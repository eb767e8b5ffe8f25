import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { exportOptions } from '../options.ts';
import { startC } from './c.ts';
import type { Answer, Consumer, Exported, StartConsumer } from './consumer.ts';
import { startDuckDb } from './duckdb.ts';
import { startJavaScript } from './javascript.ts';
import { startOnnx } from './onnx.ts';
import { isInstalled, run } from './programs.ts';
import { startScikitLearn } from './scikit-learn.ts';

/** The consumer of each target of `export`. */
export const consumers: Readonly<Record<keyof typeof exportOptions, StartConsumer>> = {
  javascript: (exported) => startJavaScript(exported, 'js'),
  typescript: (exported) => startJavaScript(exported, 'ts'),
  c: startC,
  sql: startDuckDb,
  onnx: startOnnx,
  liblinear: startLiblinear,
  'scikit-learn': startScikitLearn,
};

/** Asks `liblinear-predict`, which tells classes only. */
async function startLiblinear({ model, text, folder }: Exported): Promise<Consumer | string> {
  const program = ['liblinear-predict', 'predict-liblinear'].find(isInstalled);
  if (program === undefined) return 'liblinear-predict is not installed';
  const names = new Map(model.classes.map((name) => [Number(name), name]));
  const file = (name: string) => join(folder, name);
  writeFileSync(file('model'), text);
  return {
    name: program,
    exact: false,
    async ask(rows) {
      const lines = (rows as readonly { indices: readonly number[]; values: readonly number[] }[]).map(
        ({ indices, values }) => {
          const pairs = indices.map((j, k) => [j, values[k]!] as const).sort(([a], [b]) => a - b);
          return `${[...names.keys()][0]} ${pairs.map(([j, x]) => `${j}:${x}`).join(' ')}`;
        },
      );
      writeFileSync(file('rows'), `${lines.join('\n')}\n`);
      await run(program, [file('rows'), file('model'), file('classes')]);
      const classes = readFileSync(file('classes'), 'utf8').trimEnd().split('\n');
      return classes.map(
        (label): Answer => ({ class: names.get(Number(label)) ?? label, scores: null, probabilities: null }),
      );
    },
    close() {},
  };
}
