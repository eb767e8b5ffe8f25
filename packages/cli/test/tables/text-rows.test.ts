import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import type { Dialect } from '../../../halfspace/src/table/record-parser.ts';
import type { Row } from '../../../halfspace/src/table/row-scan.ts';
import { textRows } from '../../../halfspace/src/table/text-rows.ts';
import { query, sqlPath } from '../../src/tables/duckdb.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspace-rows-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const comma: Dialect = { delimiter: ',', quote: '"', escape: '"' };
const backslash: Dialect = { ...comma, escape: '\\' };

/** Reads text in pieces of the given sizes, again and again. */
async function rowsOf(
  text: string | Buffer,
  dialect: Dialect,
  width: number,
  sizes: readonly number[] = [1 << 20],
): Promise<Row[]> {
  const bytes = Buffer.from(text);
  async function* pieces() {
    for (let at = 0, k = 0; at < bytes.length; k++) {
      yield bytes.subarray(at, at + sizes[k % sizes.length]!);
      at += sizes[k % sizes.length]!;
    }
  }
  const all: Row[] = [];
  for await (const rows of textRows(pieces(), 'text', { dialect, width, header: false }, { keepsText: true }))
    all.push(...rows);
  return all;
}

const shown = (rows: readonly Row[]) =>
  rows.map(({ cells, rejected }) => (rejected === null ? cells.slice() : rejected().error.message));

/** The rows that DuckDB reads; null: it refuses the text. */
async function oracle(text: string, dialect: Dialect, width: number): Promise<string[][] | null> {
  const path = join(folder, 'oracle.csv');
  writeFileSync(path, text);
  const columns = Array.from({ length: width }, (_, c) => `c${c}: 'VARCHAR'`).join(', ');
  try {
    const rows = await query(
      `SELECT * FROM read_csv(${sqlPath(path)}, auto_detect=false, header=false, delim=',', quote='"', escape='${dialect.escape}', comment='', skip=0, columns={${columns}})`,
    );
    return rows.map((row) => row.map((cell) => (cell === null ? '' : String(cell))));
  } catch {
    return null;
  }
}

const letters = (...more: string[]) =>
  fc
    .array(fc.constantFrom('a', 'b', ',', ',', '"', '\n', ' ', 'é', ...more), { maxLength: 24 })
    .map((all) => all.join(''));

describe('the rows of a text table', () => {
  it.each([
    ['doubled quotes', comma, letters()],
    // A quoted cell that is cut behind an escape passes for whole there.
    ['escaped quotes', backslash, letters('\\', '\\"').filter((text) => !text.endsWith('\\'))],
  ] as const)("are those of DuckDB's strict reader, with %s", async (_, dialect, texts) => {
    await forAllAsync(500, texts, fc.integer({ min: 1, max: 3 }), async (text, width) => {
      const expected = await oracle(text, dialect, width);
      const rows = await rowsOf(text, dialect, width);
      const refused = rows.find(({ rejected }) => rejected !== null);
      if (expected === null) expect(refused).toBeDefined();
      else {
        expect(refused?.rejected?.().error.message).toBeUndefined();
        expect(rows.map(({ cells }) => cells.slice(0, width))).toEqual(expected);
      }
    });
  });

  it('are the same wherever the text is cut', async () => {
    await forAllAsync(
      500,
      letters('\r\n', '\r', '\\'),
      fc.constantFrom(comma, backslash, { ...comma, quote: null }),
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
      async (text, dialect, width, sizes) => {
        const whole = await rowsOf(text, dialect, width);
        const cut = await rowsOf(text, dialect, width, sizes);
        expect(shown(cut)).toEqual(shown(whole));
        expect(cut.map((row) => row.text)).toEqual(whole.map((row) => row.text));
      },
    );
  });
});
