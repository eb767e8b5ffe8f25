import { denseBatch } from '../batch.ts';
import { HalfspaceError, quote } from '../errors.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import { checkOptionNames, optionNames } from '../features/option-names.ts';
import { unreadable } from '../readable.ts';
import { classLabels } from './class-labels.ts';
import type { Label } from './label.ts';
import { type DenseArray, matrixOf, type NestedRows, type SparseTriples, slices } from './matrix.ts';
import type { ExampleSource, OpenSourceOptions, Source } from './source.ts';
import { otherKind } from './text-sources.ts';
import { UnknownClasses } from './unknown-classes.ts';

/** Options of {@link arrays}. */
export interface ArraysOptions {
  /**
   * The classes in their order; of two, the second is positive. Default: those in y; numbers rise, other names follow
   * their code points, so `false` comes before `true` and 0 before 1.
   */
  readonly classes?: readonly Label[] | undefined;
  /** The class that is learned against all others. Default: the second of two; of more, every class is learned. */
  readonly positive?: Label | undefined;
  /** n numbers in [0, ∞): how many times each row counts. Default: once. */
  readonly importance?: ArrayLike<number> | undefined;
  /** Name for messages. Default `arrays`. */
  readonly name?: string | undefined;
}

const arraysOptionNames = optionNames<ArraysOptions>()('classes positive importance name');

/**
 * Makes a source from a matrix of n rows and d features, and n classes.
 *
 * @example
 * const { model } = await train(arrays([[3, 1], [4, 2], [6, 9]], ['no', 'no', 'yes']));
 *
 * @param x nested arrays; a typed array with a shape, which is not copied and must not change during a run; or sparse
 *   triples. Finite numbers. 32-bit floats take half the memory, if all rows are `Float32Array`s.
 * @param y the class of each row: text, numbers, booleans or bigints; predictions have the same type.
 * @throws HalfspaceError `option-invalid`. Opening it throws `row-malformed`, `number-invalid`, `index-invalid`,
 *   `label-missing`, `label-classes`, with the row; `row-malformed` if d is not the number of a model's features.
 */
export function arrays<L extends Label>(
  x: NestedRows | DenseArray | SparseTriples,
  y: ArrayLike<L>,
  options: ArraysOptions = {},
): Source<L> {
  checkOptionNames(options, arraysOptionNames, 'arrays');
  const { name = 'arrays' } = options;
  return {
    name,
    async open(run) {
      return openArrays(x, y, { ...options, name }, run);
    },
  };
}

function openArrays(
  x: NestedRows | DenseArray | SparseTriples,
  y: ArrayLike<Label>,
  options: ArraysOptions & { readonly name: string },
  run: OpenSourceOptions,
): ExampleSource {
  const { name: source, positive } = options;
  const known = run.encoding;
  const matrix = named(source, () => matrixOf(x));
  const { rows, dimension } = matrix;
  if (rows === 0) throw new HalfspaceError('source-empty', 'expected rows; got none', { source });
  if (known !== undefined) checkFits(known, dimension, source);
  checkLength(y, rows, 'labels in y', source);
  const order = known === undefined ? { classes: options.classes, positive } : { classes: run.classes };
  const unknown =
    run.keepsUnknown === true && run.classes !== undefined ? new UnknownClasses(run.classes.length, source) : undefined;
  const { classes, labels, labelType } = named(source, () => classLabels(y, { ...order, source, unknown }));
  const importance = named(source, () => checkedImportance(options.importance, rows));
  const batches = slices(matrix, labels, importance);
  const encoding = known ?? ({ kind: 'indexed', dimension, firstIndex: 0 } as const);
  return {
    name: source,
    classes,
    labelType,
    unknownClasses: unknown?.names,
    async *batches() {
      yield* batches;
    },
    encoding: () => encoding,
  };
}

/** Refuses a matrix of another width than a model's. */
function checkFits(encoding: FeatureEncoding, dimension: number, source: string): void {
  if (encoding.kind !== 'indexed') throw otherKind(encoding, 'arrays', source);
  const { far } = encoding;
  if (far !== undefined || encoding.dimension !== dimension)
    throw new HalfspaceError(
      'row-malformed',
      `expected rows of ${encoding.dimension} numbers, as many as the model has features; got ${dimension}${
        encoding.firstIndex === 1 && far === undefined && dimension + 1 === encoding.dimension
          ? '; the features of training begin at index 1, so put a 0 before each row'
          : ''
      }`,
      { source },
    );
}

function checkLength(list: unknown, rows: number, what: string, source: string): void {
  const length = (list as ArrayLike<unknown> | null | undefined)?.length;
  if (length !== rows)
    throw new HalfspaceError('row-malformed', `expected ${rows} ${what}, one per row; got ${length ?? quote(list)}`, {
      source,
    });
}

function checkedImportance(given: ArrayLike<number> | undefined, rows: number): Float64Array | null {
  if (given === undefined) return null;
  const { importance } = denseBatch(
    Array.from({ length: rows }, () => []),
    new Float64Array(rows).fill(1),
    given,
  );
  return importance;
}

/** Runs a function, and adds the name of the data to its errors. */
function named<T>(source: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw unreadable(error, 'arrays').at({ source });
  }
}
