import type { DualModel, Model } from 'halfspace';
import { createScorer, DualScorer, ModelScorer } from 'halfspace/models';
import type { Batch, Kernels } from 'halfspace/rules';
import { countUpTo, momentAt, type Recording } from './recording.ts';

type DualFunction = DualModel['functions'][number];

/** Scores examples, as encoded and not divided; there is one score per example. Free it after use. */
export interface Scorer {
  scoreInto(batch: Batch, out: Float64Array): void;
  free(): void;
}

/**
 * Returns a scorer for the model at a step of a run. Null if that is not known: before the first example of a rule in
 * dual form, and within the run of a rule with a budget. The scorer of a tree, which exists only at the end, is
 * returned for every step.
 */
export function scorerAt(recording: Recording, step: number, kernels: Kernels): Scorer | null {
  const { model } = recording;
  if (model.kind === 'tree' || (step >= recording.steps && model.kind !== 'linear'))
    return createScorer(kernels, model);
  if (model.kind === 'dual') {
    const dual = dualAt(recording, model.functions[0]!, step);
    return dual === null ? null : new DualScorer(kernels, dual);
  }
  const { answer } = momentAt(recording, step);
  if (answer === null) return null;
  const { biasConstant, divisor } = recording;
  return new ModelScorer(kernels, { weights: answer.weights, bias: answer.bias, biasConstant, divisor });
}

/** Returns the function after a step: the first mistakes of the final list, because mistakes are never removed. */
function dualAt({ updates, model }: Recording, dual: DualFunction, step: number): DualFunction | null {
  if (step === 0 || dropsMistakes(model)) return null;
  const made = countUpTo(updates, step);
  const survivals = dual.survivals.slice(0, made + 1);
  // The last vector has survived only until this step.
  if (survivals.length > 0) survivals[made] = step - survivals.subarray(0, made).reduce((sum, each) => sum + each, 0);
  return { ...dual, rows: dual.rows.slice(0, made), coefficients: dual.coefficients.slice(0, made), survivals };
}

/** Tests if a model may lack mistakes of its run, because of a budget. */
export function dropsMistakes({ options }: Pick<Model, 'options'>): boolean {
  return options.budget !== undefined && options.budget !== null;
}
