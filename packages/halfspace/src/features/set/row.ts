import { levelFeature } from '../category/row.ts';
import { type ColumnRow, unseen } from '../column-row.ts';
import type { SetColumn } from '../table-encoding.ts';
import type { EncodeText } from '../text/features.ts';
import type { UnknownTally } from '../unknown.ts';
import { setText } from './list.ts';
import { membersOf } from './members.ts';

/** Largest number of texts whose features are kept: cells of sets often come again. */
const mostKept = 4096;

/**
 * Returns the encoder of a set: the features of its levels, 1 each, as of categories.
 *
 * @param first position of the first level's feature.
 * @param unknown counts the values, and those that are not listed. Default: they are not counted.
 */
export function setEncoder(column: SetColumn, first: number, unknown?: UnknownTally): EncodeText {
  const featureOf = levelFeature(column, first);
  const unlisted = first + column.levels.length;
  const kept = new Map<string, { readonly features: readonly number[]; readonly members: ReadonlySet<string> }>();
  const read = (text: string) => {
    const members = membersOf(text, column.separator);
    const features = new Set(Array.from(members, featureOf));
    features.delete(unseen);
    if (kept.size === mostKept) kept.clear();
    const own = { features: [...features].sort((a, b) => a - b), members };
    kept.set(text, own);
    return own;
  };
  const absent = featureOf(null);
  return (text, put) => {
    if (text === null) {
      if (absent >= 0) put(absent, 1);
      return;
    }
    const { features, members } = kept.get(text) ?? read(text);
    for (const feature of features) put(feature, 1);
    if (unknown === undefined) return;
    unknown.values += members.size;
    // Cells mostly have listed values only.
    if (features.length === members.size && (features.at(-1) ?? -1) < unlisted) return;
    for (const member of members) {
      const feature = featureOf(member);
      if (feature >= 0 && feature < unlisted) continue;
      unknown.unknown++;
      unknown.meet(member);
    }
  };
}

/** Encodes single fields of a set. */
export function setRow(column: SetColumn, first: number): ColumnRow {
  const encode = setEncoder(column, first);
  return (value, put) => {
    encode(setText(value, column.name), put);
    return 0;
  };
}
