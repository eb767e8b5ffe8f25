import type { TrainState } from 'halfspace';
import { dimensionOf } from 'halfspace/models';
import type { Input } from '../data/opened.ts';
import { readState } from '../data/state-file.ts';
import { type CommandOptions, flagOf } from '../options.ts';
import { counted } from '../report/format.ts';
import { usage } from '../usage.ts';

type Options = CommandOptions<'train'>;

/** The state that a run goes on from, and its file. */
export interface Continued {
  readonly path: string;
  readonly state: TrainState;
}

/** Options that the state decides, and those that need a run from the beginning. */
const forFreshRuns = [
  ...(['as', 'scale', 'multiclass', 'positive', 'joinLabels', 'column', 'features', 'bits'] as const),
  ...(['calibrate', 'report', 'ledger', 'marginGap'] as const),
];

/** Reads the state of `--continue`; null without it. @throws HalfspaceError `option-invalid`, `model-invalid`. */
export function continuedFrom(options: Options): Continued | null {
  const { continue: path } = options;
  if (path === undefined) return null;
  for (const name of forFreshRuns)
    if (options[name] !== undefined)
      throw usage(`${flagOf(name)} is for a run from the beginning; got --continue ${path}`);
  return { path, state: readState(path) };
}

/** Adds a note if text had features that the state lacks. */
export function noteNewFeatures({ state }: Continued, { source, notes }: Input): void {
  const added = dimensionOf(source.encoding()) - dimensionOf(state.features);
  if (added > 0) notes.push(`added ${counted(added, 'feature')} to those of the state`);
}
