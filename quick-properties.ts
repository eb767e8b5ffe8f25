// What `npm test` imports as fast-check: every property is tried on a quarter of its examples, and on 25 at least where it has as many. The deep
// suite imports fast-check itself and tries them all. Examples come from a fixed seed (vitest.setup.ts), so a commit has one verdict in both.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { default as FastCheck, Parameters } from 'fast-check';

const path = createRequire(import.meta.url).resolve('fast-check/package.json');
const { href } = new URL('lib/fast-check.js', pathToFileURL(path));
const fc = ((await import(href)) as { default: typeof FastCheck }).default;

const usual = 100;
const least = 25;

function quick<T>(parameters: Parameters<T> = {}): Parameters<T> {
  const { numRuns = usual } = parameters;
  return { ...parameters, numRuns: Math.min(numRuns, Math.max(least, Math.ceil(numRuns / 4))) };
}

const assert = ((property: never, parameters?: Parameters<never>) =>
  fc.assert(property, quick(parameters))) as typeof FastCheck.assert;

export default { ...fc, assert };
