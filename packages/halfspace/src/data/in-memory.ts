import type { Batch } from '../batch.ts';
import { HalfspaceError, quote } from '../errors.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import type { ByteSource, ExampleSource } from './source.ts';

/**
 * Makes a source of examples that are in memory.
 *
 * @param batches checked batches (`denseBatch`, `sparseBatch`), which are never written. Labels are −1 and +1 for two
 *   classes, else positions in `classes`. All batches are sparse, or all are dense with the same dimension.
 * @param classes different names: of the negative and the positive class, or of three and more. Default `['-1', '1']`.
 * @throws HalfspaceError `row-malformed`; `label-classes` for invalid classes and for labels outside them.
 */
export function arraySource(
  batches: Batch | readonly Batch[],
  classes: readonly string[] = ['-1', '1'],
): ExampleSource {
  const list = Array.isArray(batches) ? (batches as readonly Batch[]) : [batches as Batch];
  const dimension = list.reduce((most, batch) => Math.max(most, batch.dimension), 0);
  const [first, ...others] = list.filter(({ rows }) => rows > 0);
  const other = others.find(
    (batch) => batch.kind !== first!.kind || (batch.kind === 'dense' && batch.dimension !== first!.dimension),
  );
  if (other !== undefined)
    throw new HalfspaceError(
      'row-malformed',
      `expected batches that are all sparse, or all dense and of one dimension; got ${nameOf(first!)} and ${nameOf(other)} ones`,
    );
  checkLabels(list, classes);
  return {
    name: 'examples',
    classes,
    async *batches() {
      yield* list;
    },
    encoding: (): FeatureEncoding => ({ kind: 'indexed', dimension, firstIndex: 0 }),
  };
}

/** Refuses labels that fit no class. A missing label (NaN) passes: the reader that needs it refuses it. */
function checkLabels(batches: readonly Batch[], classes: readonly string[]): void {
  if (classes.length < 2 || new Set(classes).size < classes.length)
    throw new HalfspaceError('label-classes', `expected two or more different classes; got ${quote(classes)}`);
  const two = classes.length === 2;
  const fits = (label: number) =>
    two ? label === 1 || label === -1 : Number.isInteger(label) && label >= 0 && label < classes.length;
  let row = 0;
  for (const { labels, rows } of batches) {
    const wrong = labels.subarray(0, rows).findIndex((label) => !fits(label) && !Number.isNaN(label));
    if (wrong !== -1)
      throw new HalfspaceError(
        'label-classes',
        `expected a label ${two ? 'of -1 or 1' : `in [0, ${classes.length})`}, as there are ${classes.length} classes; got ${labels[wrong]}`,
        { source: 'examples', row: row + wrong + 1 },
      );
    row += rows;
  }
}

function nameOf({ kind, dimension }: Batch): string {
  return kind === 'sparse' ? kind : `${dimension}-dimensional dense`;
}

/** Makes a byte source of bytes or text in memory. */
export function bytesSource(data: Uint8Array | string, name = 'text'): ByteSource {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
  let at = 0;
  return {
    name,
    read(target) {
      const piece = bytes.subarray(at, at + target.length);
      target.set(piece);
      at += piece.length;
      return piece.length;
    },
  };
}

/** Makes a byte source of pieces that arrive over time: the body of a fetch response, a pipe. */
export function streamSource(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, name: string): ByteSource {
  const iterator = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
  let rest: Uint8Array = new Uint8Array(0);
  return {
    name,
    async read(target) {
      while (rest.length === 0) {
        const { done, value } = await iterator.next();
        if (done === true) return 0;
        rest = value;
      }
      const count = Math.min(rest.length, target.length);
      target.set(rest.subarray(0, count));
      rest = rest.subarray(count);
      return count;
    },
    close() {
      // Nobody waits for the end of a reading that was given up.
      if ('return' in iterator) void Promise.resolve(iterator.return?.()).catch(() => {});
    },
  };
}
