import { chosenLabel, classText, labelNumbers } from '../data/class-labels.ts';
import { type Label, LabelTypes } from '../data/label.ts';
import type { ExampleSource, OpenSourceOptions } from '../data/source.ts';
import { otherKind } from '../data/text-sources.ts';
import { UnknownClasses } from '../data/unknown-classes.ts';
import { HalfspaceError, type Place } from '../errors.ts';
import { eachFeature } from '../features/bag.ts';
import type { NamedEncoding } from '../features/encoding.ts';
import { plainValue } from '../features/plain-value.ts';
import { classNames } from '../features/table-label.ts';
import { UnknownTally } from '../features/unknown.ts';
import { unreadable } from '../readable.ts';
import { BagBatch, batchRows } from './bag-batch.ts';
import type { Carry } from './carried.ts';
import { labelByName } from './columns.ts';
import type { RowPiece } from './kept-rows.ts';
import { listed } from './listed.ts';
import type { Row as Fields } from './object-table.ts';
import type { Row } from './row-scan.ts';
import type { RejectedRow } from './table.ts';

/** Some rows whose fields are features. */
export interface BagPiece extends RowPiece {
  /** Name for messages. Default: that of the bags. Rows are counted for each name. */
  readonly source?: string;
  /** The rows of text; a bad one has its error here, and no fields. Default: they are no text. */
  readonly texts?: readonly Row[];
}

/** Rows whose fields are features. */
interface Bags {
  /** Name for messages. */
  readonly name: string;
  /** Name of the label's field; undefined: label, class, target or y. Not used if pieces have labels. */
  readonly label: string | undefined;
  /** False: the label's field is ignored. Default true. */
  readonly labelsNeeded?: boolean | undefined;
  readonly positive: Label | undefined;
  readonly notes: readonly string[];
  /** Begins a reading of the rows, which are objects. */
  pieces(): Iterable<BagPiece> | AsyncIterable<BagPiece>;
  /** True: the rows of a piece are delivered before the next piece is read. Default false. */
  readonly prompt?: boolean;
  /** Called for each bad row, after the rows before it. Default: the first bad row ends the reading with its error. */
  readonly reject?: ((rejected: RejectedRow) => void) | undefined;
  /** Takes the texts of the rows of each batch. */
  readonly carry?: Carry | undefined;
}

/**
 * Opens bags of features. Without a model, it reads all rows for the classes, and for the names of the features in the
 * order in which they come; rows for a model are read once.
 *
 * @throws HalfspaceError with the row: `label-missing`, `label-classes`, `number-invalid`, `row-malformed`.
 */
export async function openBags(
  bags: Bags,
  { encoding, classes: known, grows = false, keepsUnknown = false }: Omit<OpenSourceOptions, 'kernels'>,
): Promise<ExampleSource> {
  const { name, positive, reject, labelsNeeded = true } = bags;
  if (encoding !== undefined && encoding.kind !== 'named') throw otherKind(encoding, 'bags of features', name);
  const positions = new Map((encoding?.names ?? []).map((feature, j) => [feature, j]));
  const joins = encoding === undefined || grows;
  const counts = new Map<string, number>();
  const types = new LabelTypes();
  if (joins || (labelsNeeded && known === undefined)) {
    const reader = new BagReader(bags, positions);
    for await (const piece of bags.pieces())
      for (let i = 0; i < piece.rows.length; i++) {
        const fault = reader.read(piece, i);
        if (fault !== null && reject === undefined) throw fault;
        if (fault !== null) continue;
        if (joins)
          for (const feature of reader.names) if (!positions.has(feature)) positions.set(feature, positions.size);
        counts.set(reader.label!, (counts.get(reader.label!) ?? 0) + 1);
        types.add(reader.labelType);
      }
    if (counts.size === 0) throw new HalfspaceError('source-empty', 'expected rows; got none', { source: name });
  }
  const label = labelsNeeded ? chosenLabel(counts, { classes: known, positive, source: name }) : null;
  const classes = label === null ? (known ?? null) : classNames(label);
  const unknownClasses = keepsUnknown && classes !== null ? new UnknownClasses(classes.length, name) : undefined;
  const numberOf = label === null ? null : labelNumbers(label, unknownClasses);
  const features: NamedEncoding = { kind: 'named', names: [...positions.keys()] };
  let unknown = new UnknownTally();
  let readings = 0;
  return {
    name,
    classes,
    labelType: classes === null ? undefined : types.of(classes),
    unknownClasses: unknownClasses?.names,
    encoding: () => features,
    get unknown() {
      return joins ? null : unknown;
    },
    get notes() {
      const note = unknown.note('features');
      return note === null ? bags.notes : [...bags.notes, note];
    },
    async *batches() {
      unknown = new UnknownTally();
      const isFirst = readings++ === 0;
      const reader = new BagReader(bags, positions);
      const batch = new BagBatch(positions, unknown);
      let texts: Row[] = [];
      const taken = () => {
        const own = texts;
        texts = [];
        bags.carry?.take({ cell: (c, i) => own[i]!.cells[c] ?? null, text: (i) => own[i]!.text! });
        return batch.taken();
      };
      for await (const piece of bags.pieces()) {
        for (let i = 0; i < piece.rows.length; i++) {
          let fault = reader.read(piece, i);
          let number = Number.NaN;
          if (fault === null && numberOf !== null)
            try {
              number = numberOf(reader.label!, reader.place);
            } catch (error) {
              fault = unreadable(error);
            }
          if (fault !== null) {
            // The rows before a bad one are delivered before it is reported.
            if (batch.rows > 0) yield taken();
            if (reject === undefined) throw fault;
            if (isFirst) reject(rejectedOf(piece, i, fault));
            continue;
          }
          batch.begin(number);
          for (let k = 0; k < reader.names.length; k++) batch.add(reader.names[k]!, reader.values[k]!);
          if (bags.carry !== undefined) texts.push(piece.texts![i]!);
          if (batch.rows === batchRows) yield taken();
        }
        if (bags.prompt === true && batch.rows > 0) yield taken();
      }
      if (batch.rows > 0) yield taken();
    },
  };
}

/** Reads rows in order. */
class BagReader {
  /** Features of the last row, and their values. A name may occur twice. */
  readonly names: string[] = [];
  readonly values: number[] = [];
  /** Its label; null: labels are not needed. */
  label: string | null = null;
  labelType = '';
  readonly #bags: Bags;
  readonly #features: ReadonlyMap<string, number>;
  /** Carried fields that are no features of the model. */
  readonly #ignored: ReadonlySet<string>;
  readonly #put = (name: string, value: number) => {
    this.names.push(name);
    this.values.push(value);
  };
  /** Name of the label's field; null: there is none. */
  #field: string | null | undefined;
  #source = '';
  #row = 0;

  constructor(bags: Bags, features: ReadonlyMap<string, number>) {
    this.#bags = bags;
    this.#features = features;
    this.#field = bags.label;
    this.#ignored = new Set(bags.carry?.names?.filter((name) => !features.has(name)));
  }

  /** The place of the last row. */
  get place(): Place {
    return { source: this.#source, row: this.#row };
  }

  /** Reads the next row. @returns the error of a bad one. */
  read({ rows, labels, source = this.#bags.name, texts }: BagPiece, i: number): HalfspaceError | null {
    if (source !== this.#source) this.#row = 0;
    this.#source = source;
    this.#row++;
    this.names.length = 0;
    this.values.length = 0;
    const text = texts?.[i];
    if (text !== undefined && text.rejected !== null) return text.rejected().error;
    const row = rows[i]!;
    const field = labels === null ? this.#labelField(row) : null;
    try {
      for (const [name, value] of Object.entries(row))
        if (name !== field && !this.#ignored.has(name)) eachFeature(name, value, this.#put);
      if (this.#bags.labelsNeeded === false) return null;
      const given = labels === null ? (Object.hasOwn(row, field!) ? row[field!] : null) : labels[i];
      const label = plainValue(given);
      this.label = classText(label, this.place);
      this.labelType = typeof label;
      return null;
    } catch (error) {
      return unreadable(error).at(this.place);
    }
  }

  /** Returns the name of the label's field, which the first row shows. A feature of the model is no label. */
  #labelField(row: Fields): string | null {
    if (this.#field !== undefined) return this.#field;
    const names = Object.keys(row);
    const found = labelByName(names);
    if (this.#bags.labelsNeeded === false) {
      this.#field = found !== null && this.#features.has(found) ? null : found;
      return this.#field;
    }
    this.#field = found;
    if (found !== null) return found;
    throw new HalfspaceError(
      'column-unknown',
      `expected a field label, class, target or y in the first row, or the option label; got ${names.length === 0 ? 'none' : listed(names, 5)}`,
      this.place,
    );
  }
}

function rejectedOf({ rows, texts }: BagPiece, i: number, error: HalfspaceError): RejectedRow {
  const text = texts?.[i];
  return text?.rejected?.() ?? { error, text: text?.text ?? JSON.stringify(rows[i]) };
}
