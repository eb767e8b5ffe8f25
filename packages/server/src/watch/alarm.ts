import { members, number, oneOf, text, whole } from 'halfspace/checks';

export const detectorNames = ['adwin', 'page-hinkley'] as const;
export type DetectorName = (typeof detectorNames)[number];

/** A change that a detector found in a stream of examples. */
export interface Alarm {
  /** Position in the journal of the example at which it was found. */
  readonly sequence: number;
  /** Number of examples that were learned by then. */
  readonly examples: number;
  /** The stream: errors of the answers before learning, or the values of one input. */
  readonly of: 'error' | 'input';
  /** Name of the input; null for errors. */
  readonly input: string | null;
  readonly detector: DetectorName;
  /** The mean of the stream before: of errors since the last alarm; of the first values of an input. */
  readonly before: number;
  /** About the mean of the latest 16 values. */
  readonly after: number;
}

/** @throws HalfspaceError `model-invalid` for anything else than an alarm. */
export function checkAlarm(value: unknown, path: string): Alarm {
  const from = members(value, path, ['sequence', 'examples', 'of', 'input', 'detector', 'before', 'after']);
  return {
    sequence: whole(from.sequence, `${path}.sequence`),
    examples: whole(from.examples, `${path}.examples`),
    of: oneOf(from.of, `${path}.of`, ['error', 'input'] as const),
    input: from.input === null ? null : text(from.input, `${path}.input`),
    detector: oneOf(from.detector, `${path}.detector`, detectorNames),
    before: number(from.before, `${path}.before`),
    after: number(from.after, `${path}.after`),
  };
}
