import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Functions whose last bits differ between Node, Bun and Deno. (A rounded Math.log2 does not.) */
const ownBits = /Math\.(exp|expm1|log|log10|log1p|pow|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|hypot)\(/;
const fractionalPower = /\*\* \(/;

it('no source uses a function of Math whose bits differ between engines', () => {
  const found: string[] = [];
  for (const folder of ['halfspace/src', 'certify/src'])
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('.ts') && !/(wasm|zstd)-module\.ts$/.test(name))
        readFileSync(join(root, folder, name), 'utf8')
          .split('\n')
          .forEach((line, i) => {
            const code = line.replace(/^\s*(\/?\*|\/\/).*|\/\/.*/, '');
            if (ownBits.test(code) || (fractionalPower.test(code) && !/\b2 \*\* \(/.test(code)))
              found.push(`${folder}/${name}:${i + 1}: ${line.trim()}`);
          });
  expect(found, 'use kernels/exponential.ts and kernels/natural-log.ts').toEqual([]);
});
