import { type Examples, shownAt, vectorAt } from '../engine/examples.ts';
import { momentAt, type Recording, scoreOf } from '../engine/recording.ts';

/** Maximum number of weights that are written. */
const mostWeights = 50;

/**
 * Writes a run as CSV, one line for each example shown: pass and row (from 1), class, score before, whether it was an
 * update, and the weights after it, bias first. Numbers are written in full. Scores and weights are empty if the
 * run has none, or did not keep them.
 */
export function* runToCsv(examples: Examples, recording: Recording): Generator<string> {
  const named = recording.width > 0 && examples.dimension <= mostWeights;
  const weights = named ? ['bias', ...examples.featureNames.map((name) => `weight of ${name}`)] : [];
  yield line(['step', 'pass', 'row', 'class', 'score', 'update', 'updates', ...weights]);
  for (let step = 1; step <= recording.steps; step++) {
    const { pass, row, updated, updates, before, present } = momentAt(recording, step);
    const at = shownAt(examples, row);
    const score = before === null || at < 0 ? '' : scoreOf(before, vectorAt(examples, at), recording);
    const after = !named || present === null ? [] : [present.bias, ...present.weights];
    const label = examples.classes[examples.labels[row]! > 0 ? 1 : 0];
    yield line([step, pass, row + 1, label, score, updated ? 1 : 0, updates, ...after]);
  }
}

function line(cells: readonly (string | number)[]): string {
  const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : quoted(cell))).join(',')}\n`;
}
