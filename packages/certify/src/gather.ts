import { type ExampleSource, HalfspaceError, type Source } from 'halfspace';
import { dimensionOf, findClass, notClass, sortedClasses } from 'halfspace/models';
import type { SparseBatch, StoredBatch } from 'halfspace/rules';
import { forEachNonzero, loadKernels } from 'halfspace/rules';
import { openSource } from 'halfspace/runs';

export interface GatherOptions {
  /** For numeric labels: the positive class; required if there are more than two classes. */
  readonly positive?: string | undefined;
  /** For numeric labels: the negative and the positive class, if they are known. */
  readonly classes?: readonly [string, string] | undefined;
  /** False for rows whose labels are not looked at: all are 1. Default true. */
  readonly labelled?: boolean | undefined;
  /** Ends the reading with the error `interrupted`. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Called after every batch. May throw. */
  readonly onRows?: ((rows: number) => void | Promise<void>) | undefined;
}

export interface Gathered {
  /** Labels −1 and +1; indices rise within each row; values are finite and not 0; no importance. */
  readonly examples: SparseBatch;
  readonly classes: readonly [negative: string, positive: string];
}

/**
 * Reads all examples of a source into one batch of sparse rows, because a proof reads every example again. Takes 12
 * bytes per nonzero. Importance is dropped: it does not change on which side of a line an example lies.
 *
 * @param data a source as for `train`, or examples. Columns of numbers stay as they are, unless the source scales them.
 * @throws HalfspaceError `interrupted` by `signal`; `label-missing`; `label-classes` unless there are two classes;
 * `source-empty`; and what the source throws.
 */
export async function gather(data: Source | ExampleSource, options: GatherOptions = {}): Promise<Gathered> {
  const source = await openSource(data, { kernels: await loadKernels(), scale: 'none', signal: options.signal });
  if (options.labelled !== false && source.classes !== null && source.classes.length !== 2)
    throw new HalfspaceError(
      'label-classes',
      `expected two classes, or a positive one to set against the rest (--positive); got ${source.classes.length}: ${source.classes.slice(0, 20).join(', ')}`,
      { source: source.name },
    );
  const rows = new Rows();
  for await (const batch of source.batches()) {
    rows.add(batch, source.name, options.labelled !== false);
    await options.onRows?.(rows.count);
  }
  if (rows.count === 0)
    throw new HalfspaceError('source-empty', 'expected examples; got none', { source: source.name });
  const labels = rows.labels.subarray(0, rows.count);
  // The encoding also counts features that have no nonzero.
  const dimension = Math.max(rows.dimension, dimensionOf(source.encoding()));
  if (options.labelled === false)
    return { examples: { ...rows.batch(), labels: labels.fill(1), dimension }, classes: ['-1', '1'] };
  const classes =
    source.classes === null ? mapNumbers(labels, source, options) : (source.classes as readonly [string, string]);
  if (options.classes === undefined && (labels.every((y) => y > 0) || labels.every((y) => y < 0)))
    throw new HalfspaceError(
      'label-classes',
      `expected examples of two classes; got only ${classes[labels[0]! > 0 ? 1 : 0]}`,
      {
        source: source.name,
      },
    );
  return { examples: { ...rows.batch(), labels: labels.slice(), dimension }, classes };
}

/** Replaces the data's own labels by −1 and +1. Of two, the larger number or the later word is the positive class. */
function mapNumbers(
  labels: Float64Array,
  { name: source, labelNames }: ExampleSource,
  { positive, classes }: GatherOptions,
): readonly [string, string] {
  const nameOf = (label: number) => labelNames?.nameOf(label) ?? String(label);
  const numbers = [...new Set(labels)];
  const unsorted = numbers.map(nameOf);
  const names = sortedClasses(unsorted);
  const positiveName = classes?.[1] ?? positive ?? names.at(-1)!;
  const against = names[findClass(names, positiveName)];
  const others = names.filter((each) => each !== against);
  const rest = notClass(positiveName);
  const negativeName = classes?.[0] ?? (others.length === 1 ? others[0]! : rest);
  const listed = names.slice(0, 20).join(', ');
  const refuse = (message: string) => new HalfspaceError('label-classes', message, { source });
  if (
    classes === undefined &&
    (others.length === 0 || against === undefined || (positive === undefined && names.length > 2))
  )
    throw refuse(`expected two classes, or a positive one to set against the rest (--positive); got labels ${listed}`);
  const other = others[findClass(others, negativeName)];
  const stranger = negativeName === rest ? undefined : others.find((each) => each !== other);
  if (stranger !== undefined) throw refuse(`expected a label of ${negativeName} or ${positiveName}; got ${stranger}`);
  const positiveNumber = numbers[unsorted.indexOf(against ?? '')];
  for (let i = 0; i < labels.length; i++) labels[i] = labels[i] === positiveNumber ? 1 : -1;
  return [negativeName, positiveName];
}

/** A growing batch of sparse rows. */
class Rows {
  count = 0;
  dimension = 0;
  labels = new Float64Array(1024);
  #offsets = new Uint32Array(1025);
  #indices = new Uint32Array(1 << 14);
  #values = new Float64Array(1 << 14);

  add(batch: StoredBatch, source: string, labelled: boolean): void {
    this.dimension = Math.max(this.dimension, batch.dimension);
    for (let i = 0; i < batch.rows; i++) {
      if (labelled && Number.isNaN(batch.labels[i]!))
        throw new HalfspaceError('label-missing', 'expected a label; got none', { source, row: this.count + 1 });
      if (this.count === this.labels.length) {
        this.labels = grown(this.labels, this.count + 1);
        this.#offsets = grown(this.#offsets, this.count + 2);
      }
      this.labels[this.count] = batch.labels[i]! + 0;
      this.#offsets[++this.count] = this.#addRow(batch, i, this.#offsets[this.count - 1]!);
    }
  }

  /** Appends the nonzeros of a row from `start`, and returns their end. */
  #addRow(batch: StoredBatch, i: number, start: number): number {
    let end = start;
    let rising = true;
    forEachNonzero(batch, i, (index, value) => {
      this.#reserve(end + 1);
      if (end > start && index <= this.#indices[end - 1]!) rising = false;
      this.#indices[end] = index;
      this.#values[end++] = value;
    });
    if (!rising) this.#sort(start, end);
    return end;
  }

  #sort(start: number, end: number): void {
    const indices = this.#indices.slice(start, end);
    const values = this.#values.slice(start, end);
    const order = Array.from(indices, (_, k) => k).sort((a, b) => indices[a]! - indices[b]!);
    order.forEach((k, place) => {
      this.#indices[start + place] = indices[k]!;
      this.#values[start + place] = values[k]!;
    });
  }

  #reserve(end: number): void {
    if (end <= this.#values.length) return;
    this.#indices = grown(this.#indices, end);
    this.#values = grown(this.#values, end);
  }

  batch(): Omit<SparseBatch, 'labels'> {
    const { count, dimension } = this;
    const end = this.#offsets[count]!;
    return {
      kind: 'sparse',
      rows: count,
      dimension,
      offsets: this.#offsets.slice(0, count + 1),
      indices: this.#indices.subarray(0, end),
      values: this.#values.subarray(0, end),
      importance: null,
    };
  }
}

function grown<T extends Float64Array | Uint32Array>(array: T, least: number): T {
  const larger = new (array.constructor as new (length: number) => T)(Math.max(least, Math.ceil(array.length * 1.5)));
  larger.set(array as never);
  return larger;
}
