import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param {BufferEncoding | null} encoding null for bytes @returns {any} */
export function textOf(file, encoding = 'utf8') {
  return readFileSync(file, encoding);
}

/** The lines of a text that hold anything. @param {string} text */
export function linesOf(text) {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '');
}

/** Row i, counted from 0, is held out where i % 5 = 4. */
const isHeldOut = (i) => i % 5 === 4;

/**
 * Writes the two files of a set, each with the header line where there is one.
 *
 * @param {string} folder
 * @param {Omit<import('./sets.mjs').QualitySet, 'train' | 'heldout' | 'examples' | 'judged' | 'header'> & { header:
 * string | false }} shape
 * @param {string[] | { train: string[], heldout: string[] }} lines of examples: all, to be divided, or already divided
 * @returns {import('./sets.mjs').QualitySet}
 */
export function writeParts(folder, { header, ...shape }, lines) {
  const { train, heldout } = Array.isArray(lines)
    ? { train: lines.filter((_, i) => !isHeldOut(i)), heldout: lines.filter((_, i) => isHeldOut(i)) }
    : lines;
  const write = (part, some) => {
    const file = join(folder, `${shape.name}.${part}.${shape.format}`);
    writeFileSync(file, `${[...(header === false ? [] : [header]), ...some].join('\n')}\n`);
    return file;
  };
  return {
    ...shape,
    header: header !== false,
    train: write('train', train),
    heldout: write('heldout', heldout),
    examples: train.length,
    judged: heldout.length,
  };
}
