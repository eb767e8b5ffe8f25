import { type MulticlassModel, train } from 'halfspace';
import type { LinearParameters } from 'halfspace/rules';
import type { Algorithm } from '../algorithm/algorithm.ts';
import type { ClassRun, ClassStrategy } from './class-recording.ts';
import { encodeExamples, examplesOf, sourceOf } from './encode.ts';
import { Growing } from './growing.ts';
import type { RunData } from './record-run.ts';
import { mostSteps } from './recorder.ts';
import { superseding } from './superseded.ts';

/** Maximum number of weights that are kept. */
const mostNumbers = 2_000_000;

/**
 * Trains the perceptron on all classes of a table and records every step. Order, passes and seed are those of the
 * algorithm; nothing is held out.
 * @throws HalfspaceError `label-classes` for a table of two classes.
 */
export async function runClasses(
  { table }: RunData,
  { strategy, algorithm }: { readonly strategy: ClassStrategy; readonly algorithm: Algorithm },
  signal: AbortSignal,
): Promise<ClassRun> {
  const all = { ...table, positive: null };
  const encoded = await encodeExamples(all, { scale: table.scale, holdout: 0, seed: algorithm.seed });
  const { classes } = encoded.encoding.label;
  const [rows, updates, changes, passes] = [1024, 256, 256, 16].map((size) => new Growing(new Uint32Array(size)));
  const present = new Growing(new Float64Array(4096));
  const width = encoded.dimension + 1;
  let [every, changed] = [1, 0];
  const { model } = await superseding(signal, () =>
    train(
      { ...sourceOf(encoded), classes },
      {
        rule: 'perceptron',
        multiclass: strategy,
        order: algorithm.order ?? 'cyclic',
        ...(algorithm.passes === null ? {} : { passes: algorithm.passes }),
        seed: algorithm.seed,
        signal,
        onStep({ position, row, updated, learner }) {
          if (position === 0) passes!.push(rows!.length);
          rows!.push(row);
          if (updated) {
            updates!.push(rows!.length);
            if (++changed % every === 0) {
              changes!.push(rows!.length);
              for (const { bias, weights } of learner.functions() as readonly LinearParameters[]) {
                present.push(bias);
                for (let j = 0; j < encoded.dimension; j++) present.push(weights[j] ?? 0);
              }
            }
            if (present.length > mostNumbers) {
              changes!.thin(1);
              present.thin(classes.length * width);
              every *= 2;
            }
          }
          return rows!.length < mostSteps;
        },
      },
    ),
  );
  const { functions } = model as MulticlassModel;
  const { shown, vectors, featureNames } = examplesOf(encoded, all);
  const truth = new Uint32Array(encoded.rows);
  let first = 0;
  for (const { labels } of encoded.batches) {
    truth.set(labels, first);
    first += labels.length;
  }
  const snapshots = new Float64Array(classes.length * width + present.length);
  snapshots.set(present.toArray(), classes.length * width);
  return {
    kind: 'classes',
    strategy,
    classes,
    truth,
    dimension: encoded.dimension,
    featureNames,
    shown,
    vectors,
    rows: rows!.toArray(),
    steps: rows!.length,
    updates: updates!.toArray(),
    changes: changes!.toArray(),
    passes: passes!.toArray(),
    present: snapshots,
    divisor: functions[0]!.divisor,
    biasConstant: functions[0]!.biasConstant,
  };
}
