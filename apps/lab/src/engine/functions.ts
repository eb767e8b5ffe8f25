import {
  type Batch,
  createKernels,
  createScorer,
  type DualFunction,
  DualScorer,
  type Kernels,
  type Model,
  ModelScorer,
} from 'halfspace';
import { countUpTo, momentAt, type Recording } from './recording.ts';

/** What scores examples, as encoded and not divided; two classes have one score. Free it. */
export interface Scores {
  scoreInto(batch: Batch, out: Float64Array): void;
  free(): void;
}

/**
 * What would answer at a step of a run; null where that is not known: before the first example, of a rule in dual form, and within the run of one
 * that forgets mistakes for a budget. A tree is there at the end only, and that is what it answers at any step.
 */
export function scorerAt(recording: Recording, step: number, kernels: Kernels = createKernels()): Scores | null {
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

/** The mistakes made by a step, which are the first of all: every prefix of them is a function that the run had. */
function dualAt({ updates, model }: Recording, dual: DualFunction, step: number): DualFunction | null {
  if (step === 0 || isForgetful(model)) return null;
  const made = countUpTo(updates, step);
  const survivals = dual.survivals.slice(0, made + 1);
  // The last of them has lived only until now.
  if (survivals.length > 0) survivals[made] = step - survivals.subarray(0, made).reduce((sum, each) => sum + each, 0);
  return { ...dual, rows: dual.rows.slice(0, made), coefficients: dual.coefficients.slice(0, made), survivals };
}

/** Whether a model lacks mistakes that its run made. */
export function isForgetful({ options }: Pick<Model, 'options'>): boolean {
  return options.budget !== undefined && options.budget !== null;
}
