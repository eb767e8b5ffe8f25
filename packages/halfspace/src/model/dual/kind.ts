import { dimensionOf } from '../../features/dimension.ts';
import { check, type Members, oneOf } from '../../json.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import type { DecodedCommon } from '../common.ts';
import { scorerOf } from '../function-scorer.ts';
import type { Scorer } from '../scorer.ts';
import { checkFiniteDual } from './check-finite.ts';
import { decodeDuals } from './file.ts';
import type { DualModel } from './model.ts';

export function decode(from: Members, common: DecodedCommon): DualModel {
  const tie = oneOf(from.tie, 'tie', [-1, 1] as const);
  const functions = decodeDuals(from, dimensionOf(common.features));
  const count = common.classes.length === 2 ? 1 : common.classes.length;
  check(functions.length === count, 'functions', `${count} of them`, functions.length);
  for (const each of functions) checkFiniteDual(each);
  return { kind: 'dual', ...common, tie, functions };
}

export function createScorer(kernels: Kernels, { functions }: DualModel): Scorer {
  return scorerOf(kernels, functions);
}
