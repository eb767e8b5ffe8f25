import type { TableColumn } from 'halfspace';
import { HalfspaceError, train } from 'halfspace';
import type { Algorithm } from '../algorithm/algorithm.ts';
import type { Lifted, LiftMap } from './companion.ts';
import { type Encoded, sourceOf, vectorOf } from './encode.ts';
import { liftedFeature } from './lift-maps.ts';
import type { RunData } from './record-run.ts';
import { Recorder } from './recorder.ts';
import { superseding } from './superseded.ts';

type NumberColumn = Extract<TableColumn, { kind: 'number' }>;

/**
 * Trains the perceptron on the two features and one more, which a map makes of them. Order, passes and seed are those
 * of the algorithm; nothing is held out.
 * @throws HalfspaceError `option-invalid` for other data than those of two features.
 */
export async function runLifted(
  { encoded }: RunData,
  { map, algorithm }: { readonly map: LiftMap; readonly algorithm: Algorithm },
  signal: AbortSignal,
): Promise<Lifted> {
  if (encoded.dimension !== 2)
    throw new HalfspaceError('option-invalid', 'Data of two features are needed: choose two columns.');
  const lifted = liftEncoded(encoded, map);
  const recorder = new Recorder({ dimension: 3, answers: false });
  const { order, passes, seed } = algorithm;
  const result = await superseding(signal, () =>
    train(sourceOf(lifted), {
      rule: 'perceptron',
      order: order ?? 'cyclic',
      ...(passes === null ? {} : { passes }),
      seed,
      signal,
      onStep: recorder.step,
    }),
  );
  return { kind: 'lifted', recording: recorder.finish({ result, absorbed: false, start: null }) };
}

function liftEncoded(encoded: Encoded, map: LiftMap): Encoded {
  const values = new Float64Array(3 * encoded.rows);
  const labels = new Float64Array(encoded.rows);
  for (let row = 0; row < encoded.rows; row++) {
    const { x, y } = vectorOf(encoded, row);
    values.set([x[0]!, x[1]!, liftedFeature(map, x[0]!, x[1]!)], 3 * row);
    labels[row] = y;
  }
  const column = (name: string): NumberColumn => ({
    kind: 'number',
    name,
    mean: 0,
    deviation: 1,
    missing: { count: 0, fill: 0, indicator: false },
  });
  const columns = ['x1', 'x2', 'lifted'].map(column);
  return {
    ...encoded,
    dimension: 3,
    encoding: { ...encoded.encoding, scale: 'none', columns },
    batches: [{ kind: 'dense', rows: encoded.rows, dimension: 3, labels, importance: null, values }],
  };
}
