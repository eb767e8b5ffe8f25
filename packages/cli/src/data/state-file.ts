import { decodeTrainState, encodeTrainState, type TrainState } from 'halfspace';
import { readText } from './model-file.ts';

/** Reads a state of `train`. @throws HalfspaceError `source-unreadable`, `model-invalid`. */
export function readState(path: string): TrainState {
  return decodeTrainState(readText(path, 'state'), path);
}

/** Returns the text of a state file. Reads it back, so that no state that cannot be continued replaces a good one. */
export function stateText(state: TrainState, path: string): string {
  const text = encodeTrainState(state);
  decodeTrainState(text, path);
  return text;
}
