import {
  checkScores,
  classPosition,
  classProbabilities,
  createScorer,
  HalfspaceError,
  type Model,
  mostProbable,
  tieOf,
  voteShare,
} from 'halfspace';
import { openInput } from '../data/input.ts';
import { readModel } from '../data/model-file.ts';
import type { DataOptions } from '../data/opened.ts';
import { claimFiles } from '../files/claim.ts';
import { predictionsOf, refuseToReplace } from '../files/output-kinds.ts';
import { kernelsOfRun } from '../kernels.ts';
import { openOutput } from '../output.ts';
import { createProgress } from '../progress.ts';
import { count, counted } from '../report/format.ts';
import { printNotes } from '../report/notes.ts';
import { interruptSignal } from '../signals.ts';
import { usage } from '../usage.ts';
import { cellOf } from '../words.ts';

export interface PredictCommandOptions extends Omit<DataOptions, 'model'> {
  readonly scores?: boolean;
  readonly probabilities?: boolean;
  /** Least share of the votes that the winner is to be ahead, in [0, 1]. */
  readonly abstain?: number;
  readonly output?: string;
}

/**
 * `halfspace predict`: one line for every row, in order; an empty one for a row that was set aside. Behind the class its score, of several
 * classes that of each; or the probability of every class. The class is the one that the score names, or with `--probabilities` the most
 * probable one. Where a vote is closer than `--abstain` the class is left empty.
 */
export async function predict(modelPath: string, data: readonly string[], given: PredictCommandOptions): Promise<void> {
  const options = await claimFiles('predict', { model: modelPath, data }, given);
  const model = readModel(modelPath);
  const { calibration } = model;
  if (options.probabilities === true && calibration === null)
    throw usage(
      `${modelPath} is not calibrated, so its scores are no probabilities: train with --calibrate, or ask for --scores`,
    );
  const { abstain } = options;
  if (abstain !== undefined && !votes(model))
    throw usage(
      `--abstain is for models that vote; ${modelPath} does not: train with --rule voted, or --rule kernel --aggregate voted`,
    );
  if (options.output !== undefined) refuseToReplace(options.output, predictionsOf(model.classes));
  const kernels = kernelsOfRun();
  /** Rows set aside whose empty lines are to be written before the next answer. */
  let waiting = 0;
  const takeWaiting = () => {
    const text = '\n'.repeat(waiting);
    waiting = 0;
    return text;
  };
  const onRejected = () => {
    waiting++;
    // In a pipe nothing else may come for long. A failure is kept for the next call.
    if (input.live) setImmediate(() => output.flush(takeWaiting()).catch(() => {}));
  };
  const input = await openInput(data, { ...options, model, labelsNeeded: false, once: true, onRejected }, kernels);
  const signal = interruptSignal();
  const scorer = createScorer(kernels, model);
  const { outputs } = scorer;
  const cells = model.classes.map(cellOf);
  const tie = tieOf(model);
  const output = openOutput(options.output);
  const progress = createProgress(input, options.output === undefined && process.stdout.isTTY === true);
  let scores = new Float64Array(0);
  let rows = 0;
  let abstained = 0;
  try {
    for await (const batch of input.source.batches()) {
      if (signal.aborted) throw new HalfspaceError('interrupted', `expected to judge every row; stopped after ${rows}`);
      if (scores.length < batch.rows * outputs) scores = new Float64Array(batch.rows * outputs);
      scorer.scoreInto(batch, scores);
      checkScores(scores, batch.rows, outputs, { source: input.source.name, row: rows });
      let text = takeWaiting();
      for (let i = 0; i < batch.rows; i++) {
        const at = i * outputs;
        const scored = classPosition(scores, at, outputs, tie);
        const probabilities =
          options.probabilities === true ? classProbabilities(calibration!, scores, at, outputs) : null;
        const given = probabilities === null ? scored : mostProbable(probabilities, 0, probabilities.length, scored);
        if (abstain === undefined || voteShare(scores, at, outputs) >= abstain) text += cells[given]!;
        else abstained++;
        if (probabilities !== null) text += `\t${probabilities.join('\t')}`;
        else if (options.scores === true) text += `\t${scores.subarray(at, at + outputs).join('\t')}`;
        text += '\n';
      }
      // A batch of a pipe is all that has come: whoever writes into it may wait for the answer.
      await (input.live ? output.flush(text) : output.write(text));
      rows += batch.rows;
      progress.rows(rows);
    }
    await output.write(takeWaiting());
    progress.stop();
    input.finish();
    await output.finish();
    if (abstained > 0)
      input.notes.push(`${counted(abstained, 'row')} of ${count(rows)} got no class: the vote was too close`);
    printNotes(input.notes);
  } finally {
    progress.stop();
    output.discard();
    input.close();
  }
}

function votes(model: Model): boolean {
  return model.kind === 'dual' && model.functions[0]!.aggregate === 'voted';
}
