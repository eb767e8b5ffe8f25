import { parseArgs } from 'node:util';

/** A usage error; the message is for the user. */
export class UsageError extends Error {}

/**
 * Returns the values of flags; beside those that take a text there is `--help`.
 * @param {string[]} args
 * @param {readonly string[]} texts names of flags that take a text
 * @param {readonly string[]} flags names of flags that take none
 * @returns {Record<string, any>}
 */
export function parsed(args, texts, flags = []) {
  const options = Object.fromEntries([
    ...texts.map((name) => [name, { type: /** @type {const} */ ('string') }]),
    ...[...flags, 'help'].map((name) => [name, { type: /** @type {const} */ ('boolean') }]),
  ]);
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageError(error.message);
  }
}
