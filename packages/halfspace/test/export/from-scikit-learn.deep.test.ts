import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkImports, type ForeignClassifier } from './from-scikit-learn.ts';

/** A Python with scikit-learn and skl2onnx: that of the variable PYTHON, or python3. */
const python = process.env.PYTHON ?? 'python3';
const hasPackages = spawnSync(python, ['-c', 'import sklearn, skl2onnx']).status === 0;
if (!hasPackages) console.warn(`not run: ${python} has no scikit-learn and skl2onnx`);

test.skipIf(!hasPackages)('classifiers that the installed skl2onnx writes are read in every form', () => {
  const out = execFileSync(python, [join(import.meta.dirname, 'foreign_classifiers.py'), 'all'], {
    maxBuffer: 1 << 28,
  });
  const classifiers = JSON.parse(out.toString()) as ForeignClassifier[];
  expect(classifiers.length).toBeGreaterThan(150);
  for (const each of classifiers) checkImports(each);
});
