import { learning } from './learning.ts';
import { lift } from './lift.ts';
import { loss } from './loss.ts';
import { mistakes } from './mistakes.ts';
import { neuron } from './neuron.ts';
import { proof } from './proof.ts';
import { tree } from './tree.ts';
import type { View } from './view.ts';
import { weights } from './weights.ts';

/** The views beside the plane, in the order of their tabs. */
export const views: readonly View[] = [proof, weights, mistakes, loss, lift, learning, neuron, tree];
