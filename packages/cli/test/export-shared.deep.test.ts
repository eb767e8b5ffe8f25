import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { exportOptions } from '../src/options.ts';
import { halfspace, sharedData, temporaryFolder } from './run.ts';

const { folder, clear } = temporaryFolder();
afterAll(clear);

/** Training file, file to ask, options of train. */
const sets: readonly (readonly [train: string, asked: string, options: readonly string[]])[] = [
  ['adult-train.csv', 'adult-test.csv', ['--rule', 'averaged', '--calibrate', 'isotonic']],
  ['adult-train.csv', 'adult-test.csv', ['--rule', 'tree']],
  ['iris.csv', 'iris.csv', ['--rule', 'averaged', '--calibrate', 'platt']],
  ['auto-mpg.csv', 'auto-mpg.csv', ['--rule', 'averaged', '--label', 'origin']],
  ['breast-cancer-wisconsin.csv', 'breast-cancer-wisconsin.csv', ['--rule', 'averaged']],
  ['agaricus.train.svm', 'agaricus.test.svm', ['--rule', 'averaged']],
  ['rcv1_small.train.vw', 'rcv1_small.test.vw', ['--rule', 'averaged']],
];

if (!existsSync(sharedData)) console.warn(`not run: there is no folder ${sharedData}`);

describe.skipIf(!existsSync(sharedData)).each(sets)(
  'a model of %s, asked %s, trained with %s',
  (data, asked, options) => {
    test('answers in every target as it does here, or is refused', () => {
      const trained = halfspace(folder, ['train', join(sharedData, data), '--model', 'm.json', ...options]);
      expect(trained.status, trained.err).toBe(0);
      const held = Object.keys(exportOptions).filter((target) => {
        const words = ['--to', target, '--output', `m.${target}`, '--check', join(sharedData, asked)];
        const { status, out, err } = halfspace(folder, ['export', 'm.json', ...words]);
        if (status === 4) console.warn(`not run: ${target}: ${out.split('not done: ')[1]?.trim() ?? err.trim()}`);
        if (status === 2) expect(err, target).toMatch(/^halfspace: expected .+; got .+\n$/);
        else if (status !== 4)
          expect({ status, out }, target).toEqual({ status: 0, out: expect.stringContaining('holds for') });
        return status === 0;
      });
      expect(held).toContain('javascript');
    });
  },
);
