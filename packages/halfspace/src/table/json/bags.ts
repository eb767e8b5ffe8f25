import type { BagPiece } from '../bag-source.ts';
import type { BytePieces } from '../byte-text.ts';
import type { Row as Fields } from '../object-table.ts';
import type { FileCheck } from '../unchanged.ts';
import { type JsonColumns, type JsonLayout, jsonRows, knownColumns } from './rows.ts';
import { severalRows } from './table.ts';

/** Options of {@link jsonBags}. */
interface JsonBagsOptions {
  /** Names of the members whose cells are kept beside the fields. Default: none. */
  readonly carried?: readonly string[];
  /** Returns the class of an object. Default: a field is the label. */
  readonly labelOf?: ((row: Fields) => unknown) | null;
  /** Checked at the end of a reading, and after an error. */
  readonly check?: FileCheck;
  /** True: a lone object on one line is refused. Default false. */
  readonly several?: boolean;
}

/** Returns a function that begins a reading of objects of JSON as bags of features. */
export function jsonBags(
  source: string,
  layout: JsonLayout,
  open: () => BytePieces,
  { carried = [], labelOf = null, check, several = false }: JsonBagsOptions = {},
): () => AsyncGenerator<BagPiece> {
  const columns = { ...finiteColumns(carried), readsDocuments: !several };
  return async function* () {
    const rows = jsonRows(open(), source, layout, columns);
    try {
      for await (const texts of several && layout === 'lines' ? severalRows(rows, source) : rows) {
        const fields = texts.map(({ rejected, text }) => (rejected === null ? (JSON.parse(text!) as Fields) : {}));
        const labels = labelOf && fields.map((row, i) => (texts[i]!.rejected === null ? labelOf(row) : null));
        yield { source, rows: fields, labels, texts };
      }
    } catch (error) {
      check?.check();
      throw error;
    }
    check?.check();
  };
}

/** Returns the columns of the carried members. NaN and infinities, which are no JSON, are errors. */
export function finiteColumns(carried: readonly string[]): JsonColumns {
  const columns = knownColumns(carried.map((name, position) => ({ name, type: 'cell', position })));
  return {
    ...columns,
    keepsNaN: true,
    put(cells, key, cell, isText) {
      if (!isText && (cell === 'NaN' || cell === 'Infinity' || cell === '-Infinity'))
        return `expected a finite number; got ${cell}`;
      return columns.put(cells, key, cell, isText);
    },
  };
}
