import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { judge } from '../src/judge.ts';
import { minimise } from '../src/minimise.ts';
import { bytesOf, type Target } from '../src/target.ts';
import { targets } from '../src/targets.ts';

/** An input that once failed. */
interface Entry {
  readonly target: string;
  /** What went wrong. */
  readonly why: string;
  /** The input as text, or as base64 of its bytes. */
  readonly text?: string;
  readonly base64?: string;
  /** How often the text stands in the input, where it is long. */
  readonly times?: number;
}

const folder = resolve(import.meta.dirname, '../corpus');
const entries = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Entry[]);

function bytesOfEntry({ text, base64, times = 1 }: Entry): Uint8Array {
  return base64 === undefined ? bytesOf(text!.repeat(times)) : new Uint8Array(Buffer.from(base64, 'base64'));
}

test.each(entries)('$target: $why', async (entry) => {
  const target = targets.find(({ name }) => name === entry.target);
  expect(target, entry.target).toBeDefined();
  expect(await judge(target!, bytesOfEntry(entry))).toBeNull();
});

describe('every target', () => {
  test.each(targets)('$name: takes its own seeds, and what is made of them', async (target) => {
    const seeds = await target.seeds();
    expect(seeds.length).toBeGreaterThan(0);
    for (const seed of seeds) expect(await judge(target, seed)).toBeNull();
  });

  test('is named by the command that runs it', () => {
    const main = readFileSync(resolve(import.meta.dirname, '../main.mjs'), 'utf8');
    const [, list = ''] = /const names = \[(.*?)\n\];/s.exec(main)!;
    expect([...list.matchAll(/'(\w+)'/g)].map(([, name]) => name)).toEqual(targets.map(({ name }) => name));
    expect(existsSync(folder)).toBe(true);
  });
});

describe('the judge', () => {
  const throwing = (error: () => unknown): Target => ({
    name: 'none',
    words: [],
    seeds: () => [],
    run() {
      throw error();
    },
  });

  test('takes everything but a refusal in one line for a fault', async () => {
    const { HalfspaceError } = await import('halfspace');
    const judged = (error: () => unknown) => judge(throwing(error), new Uint8Array(0));
    expect(await judged(() => new HalfspaceError('row-malformed', 'expected a row; got "undefined"'))).toBeNull();
    for (const error of [
      () => new HalfspaceError('row-malformed', 'expected a row; got undefined'),
      () => new TypeError('x is undefined'),
      () => 'text',
    ])
      expect(await judged(error)).not.toBeNull();
  });

  test('is given small inputs: all that is needless is left out', async () => {
    const needs = async (bytes: Uint8Array) => bytes.includes(7) && bytes.includes(9);
    const input = Uint8Array.from({ length: 1000 }, (_, i) => (i === 300 ? 7 : i === 777 ? 9 : 1));
    expect([...(await minimise(input, needs))]).toEqual([7, 9]);
  });
});
