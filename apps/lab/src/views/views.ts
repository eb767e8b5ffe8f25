import { classes } from './classes/classes.ts';
import { compare } from './compare/compare.ts';
import { digits } from './digits/digits.ts';
import { kernel } from './kernel/kernel.ts';
import { learning } from './learning/learning.ts';
import { lift } from './lift/lift.ts';
import { loss } from './loss/loss.ts';
import { mistakes } from './mistakes/mistakes.ts';
import { neuron } from './neuron/neuron.ts';
import { proof } from './proof/proof.ts';
import { tree } from './tree/tree.ts';
import type { View } from './view.ts';
import { weights } from './weights/weights.ts';
import { why } from './why/why.ts';

/** The views beside the plane, in their order. */
export const views: readonly View[] = [
  proof,
  weights,
  mistakes,
  loss,
  lift,
  learning,
  neuron,
  tree,
  kernel,
  why,
  classes,
  digits,
  compare,
];
