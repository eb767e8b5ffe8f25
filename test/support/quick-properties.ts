// Stands for fast-check in `npm test`: every property runs with a tenth of its examples, but with at least 10 if it has
// as many. The deep suite imports fast-check itself and runs all examples. They come from a fixed seed
// (fixed-seed.ts), so a commit has one result in both.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { default as FastCheck, Parameters } from 'fast-check';

const path = createRequire(import.meta.url).resolve('fast-check/package.json');
const { href } = new URL('lib/fast-check.js', pathToFileURL(path));
const fc = ((await import(href)) as { default: typeof FastCheck }).default;

const usual = 100;
const least = 10;

function quick<T>(parameters: Parameters<T> = {}): Parameters<T> {
  const { numRuns = usual } = parameters;
  return { ...parameters, numRuns: Math.min(numRuns, Math.max(least, Math.ceil(numRuns / 10))) };
}

const assert = ((property: never, parameters?: Parameters<never>) =>
  fc.assert(property, quick(parameters))) as typeof FastCheck.assert;

export default { ...fc, assert };
