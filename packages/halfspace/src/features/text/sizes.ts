import { unfit } from '../../json.ts';

/** The largest n-grams of words and of characters, and the largest number of bits of hashed terms. */
export const mostWords = 8;
export const mostCharacters = 16;
export const mostBits = 24;

/** Checks a pair [smallest, largest] of n-gram sizes, or null. @throws HalfspaceError `model-invalid`. */
export function sizes(value: unknown, path: string, most: number): readonly [number, number] | null {
  if (value === null) return null;
  const fits = (size: unknown) => Number.isInteger(size) && (size as number) >= 1 && (size as number) <= most;
  if (!Array.isArray(value) || value.length !== 2 || !value.every(fits) || value[0] > value[1])
    throw unfit(path, `null, or two rising whole numbers in [1, ${most}]`, value);
  return [value[0], value[1]];
}
