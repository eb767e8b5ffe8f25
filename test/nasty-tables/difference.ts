import type { Cell, ReadColumn, Reading } from './reading.ts';
import type { ExpectedColumn, NastyTable } from './table.ts';

/** Says in which ways a reading differs from what is expected; empty: in none. */
export function differences({ expected }: NastyTable, reading: Reading | Error): string[] {
  if ('fault' in expected) {
    if (!(reading instanceof Error)) return [`expected a fault, ${expected.fault}; it was read as ${shown(reading)}`];
    return expected.fault.test(reading.message.replace(/[“”]/g, '"'))
      ? []
      : [`expected a fault, ${expected.fault}; got ${reading.message}`];
  }
  if (reading instanceof Error) return [`refused: ${reading.message}`];
  const found: string[] = [];
  const same = (what: string, wanted: unknown, got: unknown) => {
    if (JSON.stringify(wanted) !== JSON.stringify(got))
      found.push(`${what}: expected ${JSON.stringify(wanted)}, read ${JSON.stringify(got)}`);
  };
  // Formats without a line of names have no such answer.
  if (reading.header !== null) same('header', expected.header, reading.header);
  same('rows', expected.rows, reading.rows);
  same('label', expected.label, reading.label);
  if (expected.classes !== null) same('classes', named(expected.classes), named(reading.classes));
  same('columns', Object.keys(expected.columns).sort(), [...reading.columns.keys()].sort());
  for (const [name, column] of Object.entries(expected.columns)) {
    const got = reading.columns.get(name);
    if (got !== undefined) found.push(...columnDifferences(column, got).map((text) => `${name}: ${text}`));
  }
  if (expected.note !== undefined && !reading.notes.some((note) => expected.note!.test(note)))
    found.push(`expected a note, ${expected.note}; got ${JSON.stringify(reading.notes)}`);
  return found;
}

/** Returns classes in order; 1.0 and 1 are the same number. */
function named(classes: readonly string[]): string[] {
  const areNumbers = classes.every((name) => Number.isFinite(Number(name)));
  return [...new Set(areNumbers ? classes.map((name) => String(Number(name))) : classes)].sort();
}

/** Says how the reading of a column differs from what is expected. */
export function columnDifferences(expected: ExpectedColumn, got: ReadColumn): string[] {
  if (expected.kind === 'left out') {
    if (got.kind !== 'left out')
      return [`expected it to be left out (${expected.reasons.join(' or ')}); read as ${got.kind}`];
    return expected.reasons.includes(got.reason)
      ? []
      : [`expected ${expected.reasons.join(' or ')}; left out as ${got.reason}`];
  }
  // A category whose values never repeat is left out.
  if (got.kind === 'left out' && expected.kind === 'words' && got.reason === 'all-different') return [];
  if (got.kind === 'left out') return [`expected ${expected.kind}; left out as ${got.reason}`];
  const all: Readonly<Record<string, readonly string[]>> = {
    truth: ['boolean', 'number'],
    words: ['category', 'text'],
  };
  const kinds = all[expected.kind] ?? [expected.kind];
  if (!kinds.includes(got.kind)) return [`expected ${kinds.join(' or ')}; read as ${got.kind}`];
  if (expected.kind === 'text' || expected.kind === 'words') return [];
  const wrong = expected.values.findIndex((value, i) => !areEqual(value, got.cells[i] ?? null));
  if (wrong === -1) return [];
  return [
    `row ${wrong + 1}: expected ${JSON.stringify(expected.values[wrong])}, read ${JSON.stringify(got.cells[wrong])}`,
  ];
}

/** Fractions of a day may be rounded in another way; a second is 1e-5 of a day. */
function areEqual(expected: Cell, got: Cell): boolean {
  if (typeof expected !== 'number' || typeof got !== 'number') return expected === got;
  return Math.abs(expected - got) <= 1e-9 * Math.max(1, Math.abs(expected));
}

function shown({ header, rows, columns }: Reading): string {
  const kinds = Array.from(columns, ([name, { kind }]) => `${name} ${kind}`).slice(0, 8);
  return `${rows} rows, header ${header}: ${kinds.join(', ')}`;
}
