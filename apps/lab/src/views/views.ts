import { learning } from './learning.ts';
import { lift } from './lift.ts';
import { loss } from './loss.ts';
import { tree } from './tree.ts';
import type { View } from './view.ts';

/** The views beside the plane, in the order of their tabs. */
export const views: readonly View[] = [loss, lift, learning, tree];
