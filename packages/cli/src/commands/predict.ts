import { HalfspaceError, type Model } from 'halfspace';
import { quote } from 'halfspace/checks';
import { classProbabilitiesOf, mostProbable, voteShare } from 'halfspace/metrics';
import { checkScores, classPosition, createScorer, tieOf } from 'halfspace/models';
import { createKernels } from 'halfspace/rules';
import { openInput } from '../data/input.ts';
import { readModel } from '../data/model-file.ts';
import type { CarriedRows } from '../data/opened.ts';
import { TagQueue } from '../data/tags.ts';
import { claimFiles } from '../files/claim.ts';
import { predictionsOf, refuseToReplace } from '../files/output-kinds.ts';
import type { CommandOptions } from '../options.ts';
import { openOutput } from '../output.ts';
import { createProgress } from '../progress.ts';
import { count, counted } from '../report/format.ts';
import { interruptSignal } from '../signals.ts';
import { printNotes } from '../standard-error.ts';
import { terminal } from '../terminal.ts';
import { usage } from '../usage.ts';
import { cellOf } from '../words.ts';
import { explainedRow, explainerOf, explanationText } from './explanations.ts';
import { formatOfOutput, isJson, type PredictionTable, tableFor } from './prediction-table.ts';

/**
 * Runs `halfspace predict`: prints one line per row, in order. The line of a skipped row is empty.
 *
 * A line holds the class, then its score; for three or more classes the score of each class; or the probability of each
 * class. The class is the one with the highest score, or with `--probabilities` the most probable one. It is empty if
 * the vote is closer than `--abstain`.
 *
 * With `--explain`, the terms of a score follow in lines below.
 *
 * With `--with-input`, `--id`, or an output named like a table, the lines are rows of a table with a header, or of
 * NDJSON. If the reader of standard output goes away, as `head` does, the command ends without a word.
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
  if (options.explainClass !== undefined && options.explain === undefined)
    throw usage('--explain-class is for --explain; got no --explain');
  const explainer = options.explain === undefined ? null : explainerOf(model, options.explain, options.explainClass);
  const { id, withInput } = options;
  const isTabular = formatOfOutput(options.output) !== null || id !== undefined || withInput === true;
  if (options.prefix !== undefined && !isTabular)
    throw usage('--prefix is for tables: with --with-input, --id, or --output with .csv, .tsv or .ndjson');
  if (options.output !== undefined && !isTabular) refuseToReplace(options.output, predictionsOf(model.classes));
  const kernels = createKernels();
  let table: PredictionTable | null = null;
  let carried: CarriedRows | null = null;
  const tags = new TagQueue();
  /** Number of skipped rows whose empty lines come before the next prediction. */
  let waiting = 0;
  const takeWaiting = () => {
    const text = (table?.skipped ?? '\n').repeat(waiting);
    waiting = 0;
    return text;
  };
  const onRejected = () => {
    waiting++;
    if (id !== undefined) tags.take();
    // A pipe may stay silent for long, so the lines are written now. The next call throws a failure.
    if (input.live) setImmediate(() => output.flush(takeWaiting()).catch(() => {}));
  };
  const input = await openInput(
    data,
    {
      ...options,
      encodedFor: model,
      labelsNeeded: false,
      once: true,
      onRejected,
      carry:
        id === undefined && withInput !== true
          ? undefined
          : {
              names: id === undefined ? null : [id],
              take(next) {
                if (carried === null && id !== undefined && isJson(input.format)) checkHas(next, id, input.name);
                carried = next;
              },
            },
      onTag:
        id === undefined
          ? undefined
          : (tag) => {
              tags.push(tag);
              carried = { cell: () => tags.take(), text: () => '' };
            },
    },
    kernels,
  );
  const signal = interruptSignal();
  const scorer = createScorer(kernels, model);
  const { outputs } = scorer;
  const cells = model.classes.map(cellOf);
  const tie = tieOf(model);
  if (isTabular)
    try {
      table = tableFor(model, outputs, input, options);
    } catch (error) {
      input.close();
      throw error;
    }
  // The lines are printable: numbers, and classes by `cellOf`.
  const output = openOutput(options.output, true);
  const progress = createProgress(input, options.output === undefined && terminal(1) !== null);
  let scores = new Float64Array(0);
  let rows = 0;
  let abstained = 0;
  try {
    if (table !== null) await (input.live ? output.flush(table.header) : output.write(table.header));
    for await (const batch of input.source.batches()) {
      if (signal.aborted) throw new HalfspaceError('interrupted', `expected to judge every row; stopped after ${rows}`);
      if (scores.length < batch.rows * outputs) scores = new Float64Array(batch.rows * outputs);
      scorer.scoreInto(batch, scores);
      checkScores(scores, batch.rows, outputs, { source: input.source.name, row: rows });
      const own = scores.subarray(0, batch.rows * outputs);
      const probabilities =
        options.probabilities === true ? classProbabilitiesOf(calibration!, { outputs, scores: own }) : null;
      const numbers = probabilities ?? (options.scores === true ? own : own.subarray(0, 0));
      const width = numbers.length / batch.rows;
      const texts = numberTexts(numbers);
      let text = takeWaiting();
      explainer?.open(batch);
      for (let i = 0; i < batch.rows; i++) {
        const scored = classPosition(scores, i * outputs, outputs, tie);
        const given = probabilities === null ? scored : mostProbable(probabilities, i * width, width, scored);
        const isGiven = abstain === undefined || voteShare(scores, i * outputs, outputs) >= abstain;
        if (!isGiven) abstained++;
        const told = explainer?.explain(i, scores.subarray(i * outputs, (i + 1) * outputs), given) ?? null;
        if (table !== null) {
          text += table.line(carried, i, isGiven ? given : -1, texts.slice(i * width, (i + 1) * width), told);
          continue;
        }
        if (told !== null) text += explainedRow(rows + i + 1);
        if (isGiven) text += cells[given]!;
        for (let k = i * width; k < (i + 1) * width; k++) text += `\t${texts[k]!}`;
        text += '\n';
        if (told !== null) text += explanationText(told);
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
    await printNotes(input.notes);
  } catch (error) {
    if (!output.abandoned) throw error;
  } finally {
    progress.stop();
    output.discard();
    input.close();
  }
}

/** Returns finite numbers as text, each as by `String`, but several times faster. */
function numberTexts(numbers: Float64Array): readonly string[] {
  if (numbers.length === 0) return [];
  const list: number[] = [];
  for (let i = 0; i < numbers.length; i++) list.push(numbers[i]!);
  return JSON.stringify(list).slice(1, -1).split(',');
}

function votes(model: Model): boolean {
  return model.kind === 'dual' && model.functions[0]!.aggregate === 'voted';
}

/** @throws HalfspaceError `column-unknown` if the first row of JSON lacks the only carried field. */
function checkHas(rows: CarriedRows, name: string, source: string): void {
  if (rows.cell(0, 0) !== null) return;
  throw new HalfspaceError('column-unknown', `expected a value of ${quote(name)} in the first row; got none`, {
    source,
  });
}
