import { judgeStore } from '../model/judge-batches.ts';
import { functionsOf, type Model } from '../model/model.ts';
import type { TrainingResult } from '../train/report.ts';
import type { AllExamples } from './read-all.ts';

/**
 * Moves the decision threshold of a linear model of two classes to score 0: the bias takes it in, so whatever asks the
 * model follows it. Evaluates the model again on training and held-out examples; the margin of the report is null,
 * because the threshold is no longer that of the hyperplane that was learned.
 *
 * @param score of the threshold.
 */
export function moved<Result extends TrainingResult>(
  { model, report, ...rest }: Result,
  score: number,
  { intake, context }: AllExamples,
): Result {
  if (score === 0 || model.kind !== 'linear') return { model, report, ...rest } as Result;
  const shifted: Model = { ...model, bias: model.bias - score / model.biasConstant };
  const judge = (store: typeof intake.store, divisor: number) => {
    const functions = functionsOf(shifted).map((each) => ({ ...each, divisor }));
    return judgeStore(store, context.kernels, functions, -1).judgement;
  };
  const judged = report.train === null ? null : judge(intake.store, 1);
  const train = judged && { ...report.train!, ...judged, separated: judged.errors === 0, margin: null };
  const holdout = report.holdout === null ? null : judge(intake.held, model.divisor);
  const training = {
    ...model.training,
    separated: train?.separated ?? null,
    trainAccuracy: train?.accuracy ?? null,
    holdoutAccuracy: holdout?.accuracy ?? null,
  };
  return { ...rest, model: { ...shifted, training }, report: { ...report, train, holdout } } as unknown as Result;
}
