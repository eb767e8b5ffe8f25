import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, test } from 'vitest';
import { command, halfspace, temporaryFolder } from '../run.ts';

const folder = temporaryFolder();

const training = Array.from({ length: 60 }, (_, i) => ({ x: (i % 7) - 3, colour: ['red', 'blue'][i % 2]! }));
const classOf = ({ x }: { x: number }) => (x > 0 ? 'up' : 'down');

beforeAll(() => {
  writeFileSync(
    join(folder, 'table.csv'),
    `x,colour,label\n${training.map((row) => `${row.x},${row.colour},${classOf(row)}\n`).join('')}`,
  );
  writeFileSync(
    join(folder, 'rows.svm'),
    training.map((row) => `${row.x > 0 ? 1 : -1} ${row.x === 0 ? '' : `1:${row.x}`} 2:1\n`).join(''),
  );
  writeFileSync(join(folder, 'rows.vw'), training.map((row) => `${row.x > 0 ? 1 : -1} | x:${row.x}\n`).join(''));
  for (const name of ['table.csv', 'rows.svm', 'rows.vw'])
    expect(halfspace(folder, ['train', name, '--model', `${name}.model`, '--rule', 'averaged']).status).toBe(0);
});

/** A command that is talked with. */
class Conversation {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #answers: AsyncIterator<string>;

  constructor(args: readonly string[]) {
    this.#child = spawn(process.execPath, [command, ...args], { cwd: folder });
    this.#answers = createInterface(this.#child.stdout)[Symbol.asyncIterator]();
  }

  say(text: string): void {
    this.#child.stdin.write(text);
  }

  async hear(): Promise<string> {
    return (await this.#answers.next()).value;
  }

  /** Ends the input; gives the status. */
  end(): Promise<number | null> {
    this.#child.stdin.end();
    return new Promise((resolve) => this.#child.once('close', resolve));
  }
}

const up = { csv: '3,red,up\n', tsv: '3\tred\tup\n' };

/** Model, flags, what comes before all rows, a row that is up, one that is down, and what follows all rows. */
const talks: readonly (readonly [string, string, string[], string, string, string])[] = [
  ['libsvm', 'rows.svm', ['--format', 'libsvm'], '', '1 1:3 2:1\n', '-1 1:-3 2:1\n'],
  ['libsvm, its format not told', 'rows.svm', [], '', '1 1:3 2:1\n', '-1 1:-3 2:1\n'],
  ['Vowpal Wabbit', 'rows.vw', ['--format', 'vw'], '', '1 | x:3\n', '-1 | x:-3\n'],
  ['CSV', 'table.csv', ['--format', 'csv'], 'x,colour,label\n', up.csv, '-3,red,down\n'],
  ['CSV, its format not told', 'table.csv', [], 'x;colour\n', '3;red\n', '-3;"bl\nue"\n'],
  ['TSV', 'table.csv', ['--format', 'tsv'], 'x\tcolour\tlabel\n', up.tsv, '-3\t"red\tdown\n'],
  ['NDJSON', 'table.csv', ['--format', 'ndjson'], '', '{"x":3}\n', '{"x":-3}\n'],
  ['a list of JSON', 'table.csv', ['--format', 'json'], '[', '{"x":3}', ',{"x":-3}'],
];

describe('predict answers every line of a pipe before the next one comes', () => {
  test.each(talks)('%s', async (_, model, flags, before, high, low) => {
    const talk = new Conversation(['predict', `${model}.model`, '-', ...flags]);
    talk.say(before);
    for (const [row, answer] of [
      [high, 'up'],
      [low, 'down'],
    ] as const) {
      talk.say(row);
      expect(await talk.hear()).toBe(model === 'table.csv' ? answer : answer === 'up' ? '1' : '-1');
    }
    if (before === '[') talk.say(']');
    expect(await talk.end()).toBe(0);
  });

  test('rows that are set aside, with an empty line', async () => {
    const talk = new Conversation(['predict', 'table.csv.model', '-', '--format', 'csv', '--on-error', 'skip']);
    talk.say('x,colour\n3\n');
    expect(await talk.hear()).toBe('');
    talk.say('3,red\nmany,red\n');
    expect([await talk.hear(), await talk.hear()]).toEqual(['up', '']);
    expect(await talk.end()).toBe(0);
  });

  test.skipIf(process.platform === 'win32')('a pipe with a name (skipped on Windows)', async () => {
    for (const [name, model, before, row] of [
      ['named.csv', 'table.csv', 'x,colour\n', '3,red\n'],
      ['named', 'rows.svm', '', '1 1:3 2:1\n'],
    ] as const) {
      spawnSync('mkfifo', [join(folder, name)]);
      const talk = new Conversation(['predict', `${model}.model`, name]);
      const pipe = createWriteStream(join(folder, name));
      pipe.write(before + row);
      expect(await talk.hear()).toMatch(/up|^1/);
      pipe.write(row);
      expect(await talk.hear()).toMatch(/up|^1/);
      pipe.end();
      expect(await talk.end()).toBe(0);
    }
  });
});
