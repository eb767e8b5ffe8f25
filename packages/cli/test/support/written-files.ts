import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { halfspace } from '../run.ts';

const rows = (seed: number) =>
  Array.from({ length: 60 }, (_, i) => {
    const x = ((i * 7 + seed) % 13) - 6;
    return { x, z: (i * 5 + seed) % 11, label: x + (i % 3) > 0 ? 'yes' : 'no' };
  });

/** Data, and a file of every kind that the command writes, made from older data. */
export function makeFiles(folder: string): void {
  const csv = (seed: number) =>
    `x,z,label\n${rows(seed)
      .map((row) => `${row.x},${row.z},${row.label}`)
      .join('\n')}\n`;
  const svm = (seed: number) =>
    rows(seed)
      .map((row) => `${row.label === 'yes' ? 1 : 0} 1:${row.x} 2:${row.z}\n`)
      .join('');
  const make = (name: string, text: string) => writeFileSync(join(folder, name), text);
  make('data.csv', csv(1));
  make('bad.csv', `${csv(1)}1,oops,yes\n2,3,\n`);
  make('older.csv', `${csv(4)}1,oops,yes\n`);
  make('data.svm', svm(1));
  make('older.svm', svm(4));
  make('features.json', '{}\n');
  const done = (...args: string[]) => expect(halfspace(folder, args)).toMatchObject({ status: 0 });
  const skip = ['--on-error', 'skip', '--rejects', 'old.rejects', '--column', 'z=number'];
  done('train', 'older.csv', '--rule', 'tree', '--model', 'old.tree', '--drawing', 'old.drawing', ...skip);
  done('train', 'older.svm', '--rule', 'averaged', '--model', 'old.model', '--ledger', 'old.ledger');
  done('train', 'data.svm', '--rule', 'averaged', '--model', 'run.model', '--ledger', 'run.ledger');
  done('export', 'old.model', '--to', 'javascript', '--output', 'old.program');
  done('export', 'run.model', '--to', 'scikit-learn', '--output', 'run.coef');
  done('train', 'data.csv', '--rule', 'tree', '--model', 'run.tree');
  done('train', 'data.svm', '--rule', 'averaged', '--model', 'run.model', '--state', 'run.state');
  done('train', 'older.svm', '--rule', 'arow', '--model', 'old.model', '--state', 'old.state');
  done(
    'learn',
    'old.stream',
    'older.csv',
    '--on-error',
    'skip',
    '--rejects',
    'other.rejects',
    '--model',
    'old.learned',
  );
  done('learn', 'run.stream', 'data.csv', '--model', 'run.learned');
  done('picture', 'older.csv', '--output', 'old.svg');
  done('certify', 'older.svm', '--certificate', 'old.certificate');
  done('certify', 'data.svm', '--certificate', 'run.certificate');
  done('evaluate', 'old.model', 'older.svm', '--report', 'old.report');
  done('predict', 'old.model', 'older.svm', '--output', 'old.predictions');
  done(
    'predict',
    'old.tree',
    'older.csv',
    '--output',
    'old.answers',
    '--on-error',
    'skip',
    '--rejects',
    'other.rejects',
  );
}

/** What is in a folder, by name. */
export function contentsOf(folder: string): Map<string, string> {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(files.map(({ name }) => [name, readFileSync(join(folder, name), 'latin1')]));
}

/** A copy of a folder's files. */
export function copyOf(folder: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(to, name));
}
