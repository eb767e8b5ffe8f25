// The presets of the lab import files as text.
/// <reference types="vite/client" />
import { defaultAlgorithm } from 'halfspace-lab/algorithm/algorithm.ts';
import { ruleSpecs } from 'halfspace-lab/algorithm/rules.constant.ts';
import { encodeLink, longestLink } from 'halfspace-lab/state/link.ts';
import type { SavedState } from 'halfspace-lab/state/saved-state.ts';
import type { WatchedRun } from './watched-data.ts';

/**
 * Returns the hash with which the lab opens the data of a run and its rule; null if that is too long for a link.
 *
 * @param name of the table.
 */
export async function labLink({ table, rule }: WatchedRun, name: string): Promise<string | null> {
  const { text, label, positive, isPlane } = table;
  const link = await encodeLink({
    version: 1,
    dataset: { kind: 'table', name, text, label, positive, columns: null, scale: 'standard' },
    algorithm: { ...defaultAlgorithm, ...algorithmOf(rule) },
    step: 0,
    shown: ['proof', 'step'],
    look: {
      plane: isPlane ? { kind: 'features', horizontal: 0, vertical: 1 } : { kind: 'normal' },
      window: null,
      turn: { yaw: 35, pitch: 25 },
      choices: {},
    },
  });
  return link.length <= longestLink ? link : null;
}

/** Returns a rule and those of its options that the lab has; the default one for rules that it does not have. */
function algorithmOf(rule: WatchedRun['rule']): Partial<Pick<SavedState['algorithm'], 'rule' | 'options'>> {
  if (rule === null || !Object.hasOwn(ruleSpecs, rule.name)) return {};
  const name = rule.name as keyof typeof ruleSpecs;
  const isKnown = ([option]: [string, unknown]) => Object.hasOwn(ruleSpecs[name].options, option);
  return {
    rule: name,
    options: Object.fromEntries(Object.entries(rule).filter(isKnown)) as SavedState['algorithm']['options'],
  };
}
