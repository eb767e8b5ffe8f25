import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Random } from 'halfspace/runs';
import { expect, test } from 'vitest';
import { certify, encodeCertificate } from '../src/certify.ts';
import { examplesOf } from './support/examples.ts';

const schema = JSON.parse(readFileSync(join(import.meta.dirname, '../src/certificate.schema.json'), 'utf8'));
const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema);
const chance = new Random(1);
const classes = ['no', 'yes'] as const;

test.each([
  [
    'separable',
    [
      [0, 0.1],
      [1, 1],
      [3, 4],
    ],
    [-1, -1, 1],
  ],
  ['not-separable', [[0], [1], [2]], [-1, 1, -1]],
  [
    'not-separable',
    Array.from({ length: 600 }, () => Array.from({ length: 120 }, () => chance.below(100))),
    Array.from({ length: 600 }, () => 2 * chance.below(2) - 1),
  ],
] as const)('a certificate of the verdict %s fits the schema', async (verdict, rows, labels) => {
  const certificate = await certify(await examplesOf(rows, labels), { classes, errors: rows.length < 100 });
  expect(certificate.verdict).toBe(verdict);
  if (rows.length > 100) expect(certificate.interior).not.toBeNull();
  const read = JSON.parse(encodeCertificate(certificate));
  expect(read).toEqual(certificate);
  expect(validate(read), JSON.stringify(validate.errors)).toBe(true);
  for (const name of Object.keys(read)) {
    const { [name]: _, ...less } = read;
    expect(validate(less), name).toBe(false);
  }
});

test('an open verdict fits it too', async () => {
  const examples = await examplesOf([[0], [1], [2]], [-1, 1, -1]);
  expect(validate(await certify(examples, { classes, signal: AbortSignal.abort() }))).toBe(true);
});
