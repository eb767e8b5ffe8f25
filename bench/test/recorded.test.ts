import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { recorded } from '../src/report/recorded.mjs';

const folder = new URL('../../docs/measurements/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');

describe('recorded results', () => {
  it('name the interpreter instead of its path, and keep no single run', () => {
    const spread = { min: 1, median: 1, max: 1 };
    const contender = { name: 'vw', command: '/home/me/v/bin/python -m vw', seconds: spread, runs: [{ seconds: 1 }] };
    const kept = recorded({
      schema: 'halfspace-bench/1',
      interpreter: '/home/me/v/bin/python',
      options: { rounds: 1, python: '/home/me/v/bin/python', output: '/home/me/out.json' },
      groups: { text: { contenders: [contender], comparisons: [] } },
    });
    expect(kept).toEqual({
      schema: 'halfspace-bench/1',
      options: { rounds: 1, python: 'python3' },
      groups: {
        text: { contenders: [{ name: 'vw', command: 'python3 -m vw', seconds: spread }], comparisons: [] },
      },
    });
  });

  it.each(['speed.json', 'accuracy.json'])('are what docs/measurements/%s has', (name) => {
    const results = JSON.parse(read(name));
    expect(recorded(results)).toEqual(results);
  });

  it.each(readdirSync(folder))('have no path of a machine in docs/measurements/%s', (name) => {
    expect(read(name).match(/(?<![\w.])\/(tmp|home|root|Users|work)\b[^"]*/g) ?? []).toEqual([]);
  });
});
