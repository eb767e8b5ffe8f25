import { t } from '../words/words.ts';
import type { View } from './view.ts';

/** The tab of a view, which is loaded when it is first shown. */
export interface ViewTab {
  readonly id: string;
  readonly title: string;
  readonly load: () => Promise<View>;
}

/** The tabs of the views beside the plane, in their order. */
export const viewTabs: readonly ViewTab[] = [
  { id: 'proof', title: t`The proof`, load: async () => (await import('./proof/proof.ts')).proof },
  { id: 'weights', title: t`Weight space`, load: async () => (await import('./weights/weights.ts')).weights },
  { id: 'mistakes', title: t`Mistakes`, load: async () => (await import('./mistakes/mistakes.ts')).mistakes },
  { id: 'loss', title: t`Loss`, load: async () => (await import('./loss/loss.ts')).loss },
  { id: 'lift', title: t`Lift`, load: async () => (await import('./lift/lift.ts')).lift },
  { id: 'learning', title: t`Learning curve`, load: async () => (await import('./learning/learning.ts')).learning },
  { id: 'neuron', title: t`The neuron`, load: async () => (await import('./neuron/neuron.ts')).neuron },
  { id: 'tree', title: t`Tree`, load: async () => (await import('./tree/tree.ts')).tree },
  { id: 'kernel', title: t`Kernel lift`, load: async () => (await import('./kernel/kernel.ts')).kernel },
  { id: 'why', title: t`Why no end?`, load: async () => (await import('./why/why.ts')).why },
  { id: 'classes', title: t`Three classes`, load: async () => (await import('./classes/classes.ts')).classes },
  { id: 'digits', title: t`Digits`, load: async () => (await import('./digits/digits.ts')).digits },
  {
    id: 'compare',
    title: t`Compare`,
    load: async () => {
      const { prepareSurfaces } = await import('./plane/plane.ts');
      const [{ compare }] = await Promise.all([import('./compare/compare.ts'), prepareSurfaces()]);
      return compare;
    },
  },
];
