import { HalfspaceError } from '../errors.ts';
import type { CalibrationKind } from '../evaluate/calibration-kinds.ts';
import { fitCalibrations } from '../evaluate/fit-calibration.ts';
import { createKernels } from '../kernels/load.ts';
import { decodeValue, encodeValue } from '../rules/learner-file.ts';
import { Judge } from './judge.ts';
import { chosenFunctions } from './model.ts';
import type { Shard } from './shard.ts';
import type { MixState, NextState } from './state.ts';

type Plain = ReturnType<typeof encodeValue>;

/** Scores of held-out rows of a shard by the model, row by row, and their labels. */
export interface Scored {
  readonly scores: Plain;
  readonly labels: Plain;
}

/** About the largest number of rows that a calibration is fitted to. Of more, every k-th of each shard is taken. */
const mostScored = 2 ** 20;

export async function scoreShard(state: MixState, shard: Shard): Promise<Scored> {
  const kernels = await createKernels();
  const judge = new Judge(kernels, chosenFunctions(kernels, state));
  const every = Math.ceil(state.heldOut / mostScored);
  const scores: number[] = [];
  const labels: number[] = [];
  let seen = 0;
  for await (const { heldOut } of shard.examples(state)) {
    if (heldOut === null) continue;
    const found = judge.scores(heldOut);
    for (let i = 0; i < heldOut.rows; i++) {
      if (seen++ % every > 0) continue;
      for (const each of found) scores.push(each[i]!);
      labels.push(heldOut.labels[i]!);
    }
  }
  return { scores: encodeValue(Float64Array.from(scores)), labels: encodeValue(Float64Array.from(labels)) };
}

/** Fits the calibration to the scores of all shards, in their order. @throws HalfspaceError `label-classes`. */
export function mixScores(kind: CalibrationKind, before: MixState, results: readonly Scored[]): NextState {
  const joined = (of: (each: Scored) => Plain) =>
    Float64Array.from(results.flatMap((each) => Array.from(decodeValue(of(each)) as Float64Array)));
  const labels = joined((each) => each.labels);
  const { classes } = before.train;
  const outputs = classes.length > 2 ? classes.length : 1;
  const missing = classes.filter((_, k) => !labels.includes(outputs === 1 ? 2 * k - 1 : k));
  if (missing.length > 0)
    throw new HalfspaceError(
      'label-classes',
      `expected held-out rows of every class for calibrate; got none of ${missing.join(', ')}: hold out more`,
    );
  const calibration = fitCalibrations(kind, { outputs, scores: joined((each) => each.scores), labels });
  return { ...before, next: null, calibration };
}
