import type { OptionSpecs } from '../../rules/rule-options.ts';

/**
 * Watches a stream of numbers, as a rule the losses of predictions, and reports changes of their mean. The same values
 * give the same alarms on every runtime.
 */
export interface DriftDetector {
  readonly name: string;
  /**
   * Takes the next value.
   *
   * @returns true if a change is found with this value.
   * @throws HalfspaceError `number-invalid` for a value that the detector cannot use; nothing is changed then.
   */
  update(value: number): boolean;
  /** Returns a copy of all that the detector knows, as plain data, to go on from later with the same bits. */
  state(): object;
}

/** Changes that give an alarm: of the mean to a higher value, to a lower one, or both. */
export type DriftDirection = 'rise' | 'fall' | 'both';

const directions: readonly DriftDirection[] = ['rise', 'fall', 'both'];

/** The option that all detectors have. */
export const directionOption = {
  direction: {
    kind: 'choice',
    values: directions,
    default: 'rise',
    about: 'changes of the mean that give an alarm',
  },
} as const satisfies OptionSpecs;
