import { dimensionOf } from '../../features/dimension.ts';
import { check, oneOf } from '../../json.ts';
import { createKernels } from '../../kernels/load.ts';
import { scorerOf } from '../function-scorer.ts';
import type { ModelKind } from '../model-kind.ts';
import { rowScorerBy } from '../row-scorer.ts';
import { checkFiniteDual } from './check-finite.ts';
import { decodeDuals, encodeDuals } from './file.ts';
import type { DualModel } from './model.ts';

export const dualKind: ModelKind<DualModel> = {
  encode: ({ tie, functions }) => ({ tie, ...encodeDuals(functions) }),
  decode: (from, common) => {
    const tie = oneOf(from.tie, 'tie', [-1, 1] as const);
    const functions = decodeDuals(from, dimensionOf(common.features));
    const count = common.classes.length === 2 ? 1 : common.classes.length;
    check(functions.length === count, 'functions', `${count} of them`, functions.length);
    for (const each of functions) checkFiniteDual(each);
    return { kind: 'dual', ...common, tie, functions };
  },
  createScorer: (kernels, { functions }) => scorerOf(kernels, functions),
  createRowScorer: ({ features, functions }) => rowScorerBy(features, scorerOf(createKernels(), functions)),
};
