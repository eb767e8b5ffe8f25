import { HalfspaceError, type Model } from 'halfspace';
import { checkScores, classPosition, createScorer, tieOf, voteShare } from 'halfspace/internal';
import { classProbabilities, mostProbable } from 'halfspace/metrics';
import { openInput } from '../data/input.ts';
import { readModel } from '../data/model-file.ts';
import { claimFiles } from '../files/claim.ts';
import { predictionsOf, refuseToReplace } from '../files/output-kinds.ts';
import { kernelsOfRun } from '../kernels.ts';
import type { CommandOptions } from '../options.ts';
import { openOutput } from '../output.ts';
import { createProgress } from '../progress.ts';
import { count, counted } from '../report/format.ts';
import { interruptSignal } from '../signals.ts';
import { printNotes } from '../standard-error.ts';
import { usage } from '../usage.ts';
import { cellOf } from '../words.ts';

/**
 * Runs `halfspace predict`: prints one line per row, in order. The line of a skipped row is empty.
 *
 * A line holds the class, then its score; for three or more classes the score of each class; or the probability of each
 * class. The class is the one with the highest score, or with `--probabilities` the most probable one. It is empty if
 * the vote is closer than `--abstain`.
 */
export async function predict(
  modelPath: string,
  data: readonly string[],
  given: CommandOptions<'predict'>,
): Promise<void> {
  const options = await claimFiles('predict', { model: modelPath, data }, given);
  const model = readModel(modelPath);
  const { calibration } = model;
  if (options.probabilities === true && calibration === null)
    throw usage(`--probabilities needs a calibrated model; got ${modelPath}: train with --calibrate, or use --scores`);
  const { abstain } = options;
  if (abstain !== undefined && !votes(model))
    throw usage(
      `--abstain needs a model that votes; got ${modelPath}: train with --rule voted, or --rule kernel --aggregate voted`,
    );
  if (options.output !== undefined) refuseToReplace(options.output, predictionsOf(model.classes));
  const kernels = kernelsOfRun();
  /** Number of skipped rows whose empty lines come before the next prediction. */
  let waiting = 0;
  const takeWaiting = () => {
    const text = '\n'.repeat(waiting);
    waiting = 0;
    return text;
  };
  const onRejected = () => {
    waiting++;
    // A pipe may stay silent for long, so the lines are written now. The next call throws a failure.
    if (input.live) setImmediate(() => output.flush(takeWaiting()).catch(() => {}));
  };
  const input = await openInput(
    data,
    { ...options, encodedFor: model, labelsNeeded: false, once: true, onRejected },
    kernels,
  );
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
      // A batch of a pipe is all that has come so far, and the writer of the pipe may wait for the answer.
      await (input.live ? output.flush(text) : output.write(text));
      rows += batch.rows;
      progress.rows(rows);
    }
    await output.write(takeWaiting());
    progress.stop();
    input.finish();
    await output.finish();
    if (abstained > 0)
      input.notes.push(`no class for ${counted(abstained, 'row')} of ${count(rows)}: the vote was too close`);
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
