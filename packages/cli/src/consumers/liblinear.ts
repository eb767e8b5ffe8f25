import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer, Consumer, Exported } from './consumer.ts';
import { isInstalled, run } from './programs.ts';

/** Asks `liblinear-predict`, which tells classes only. */
export async function startLiblinear({ model, text, folder }: Exported): Promise<Consumer | string> {
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
