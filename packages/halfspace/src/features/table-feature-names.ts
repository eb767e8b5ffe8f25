import { crossSlot } from './cross-features.ts';
import { partNames } from './date-parts.ts';
import type { TableColumn, TableEncoding, TextColumn } from './table-encoding.ts';
import { TermHash } from './term-hash.ts';
import { characterMark } from './text-terms.ts';

/** The names of all features in order: `bill_length`, `island=Biscoe`, `island=(rare)`, `message:free entry`, `sex missing`. */
export function featureNames({ columns, crosses = [] }: TableEncoding): string[] {
  const names = new Map(columns.map((column) => [column.name, columnNames(column)] as const));
  const all: string[] = [];
  for (const own of names.values()) for (const name of own) all.push(name);
  for (const cross of crosses) {
    const [first, second] = cross.columns.map((name) => names.get(name)!) as [string[], string[]];
    const pairs = first.length * second.length;
    const slots: string[] = new Array(Math.min(2 ** cross.bits, pairs)).fill('');
    first.forEach((a, i) => {
      second.forEach((b, j) => {
        const slot = crossSlot(i * second.length + j, pairs, cross.bits);
        slots[slot] = joined(slots[slot]!, `${a} × ${b}`);
      });
    });
    slots.forEach((name, slot) => {
      all.push(name === '' ? `${cross.columns.join(' × ')} #${slot}` : name);
    });
  }
  return all;
}

function columnNames(column: TableColumn): string[] {
  const names = ownNames(column);
  if (column.missing.indicator) names.push(`${column.name} missing`);
  return names;
}

function ownNames(column: TableColumn): string[] {
  const { name } = column;
  switch (column.kind) {
    case 'category': {
      const names = column.levels.map((level) => `${name}=${level}`);
      return column.rare === undefined ? names : [...names, `${name}=(rare)`];
    }
    case 'text':
      return termNames(column);
    case 'boolean':
      return [name];
    default: {
      if (column.kind === 'date' && column.parts !== undefined)
        return [name, ...column.parts.flatMap((part) => partNames(part).map((value) => `${name} ${part}=${value}`))];
      const { edges } = column;
      if (edges === undefined) return [name];
      return [
        `${name} < ${edges[0]}`,
        ...edges.slice(1).map((edge, k) => `${edges[k]} ≤ ${name} < ${edge}`),
        `${name} ≥ ${edges.at(-1)}`,
      ];
    }
  }
}

function termNames(column: TextColumn): string[] {
  const { name, terms } = column;
  const named = (term: string) =>
    term.startsWith(characterMark) ? `${name}~${JSON.stringify(term.slice(1))}` : `${name}:${term}`;
  if (terms.kind === 'named') return terms.names.map(named);
  const names: string[] = new Array(2 ** terms.bits).fill('');
  const hash = new TermHash(terms.bits);
  for (const term of terms.names ?? []) {
    const slot = hash.of(term);
    names[slot] = joined(names[slot]!, named(term));
  }
  return names.map((text, slot) => (text === '' ? `${name}#${slot}` : text));
}

/** Names of terms, or pairs, that have the same hash. */
function joined(names: string, name: string): string {
  if (names === '') return name;
  return names.length > 200 ? names : `${names} or ${name}`;
}
