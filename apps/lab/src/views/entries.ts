import type { View } from './view.ts';

/** A view by its name; it is loaded when it is first shown. */
interface ViewEntry {
  readonly id: string;
  readonly title: string;
  readonly load: () => Promise<View>;
}

/** The step of the run, in the place of a view. */
export const stepEntry = { id: 'step', title: 'This step', load: null } as const;

/** The views beside the plane, in their order. */
export const viewEntries: readonly ViewEntry[] = [
  { id: 'proof', title: 'The proof', load: async () => (await import('./proof/proof.ts')).proof },
  { id: 'weights', title: 'Weight space', load: async () => (await import('./weights/weights.ts')).weights },
  { id: 'mistakes', title: 'Mistakes', load: async () => (await import('./mistakes/mistakes.ts')).mistakes },
  { id: 'loss', title: 'Loss', load: async () => (await import('./loss/loss.ts')).loss },
  { id: 'lift', title: 'Lift', load: async () => (await import('./lift/lift.ts')).lift },
  { id: 'learning', title: 'Learning curve', load: async () => (await import('./learning/learning.ts')).learning },
  { id: 'neuron', title: 'The neuron', load: async () => (await import('./neuron/neuron.ts')).neuron },
  { id: 'tree', title: 'Tree', load: async () => (await import('./tree/tree.ts')).tree },
  { id: 'kernel', title: 'Kernel lift', load: async () => (await import('./kernel/kernel.ts')).kernel },
  { id: 'why', title: 'Why no end?', load: async () => (await import('./why/why.ts')).why },
  { id: 'classes', title: 'Three classes', load: async () => (await import('./classes/classes.ts')).classes },
  { id: 'digits', title: 'Digits', load: async () => (await import('./digits/digits.ts')).digits },
  {
    id: 'compare',
    title: 'Compare',
    load: async () => {
      const { prepareSurfaces } = await import('./plane/plane.ts');
      const [{ compare }] = await Promise.all([import('./compare/compare.ts'), prepareSurfaces()]);
      return compare;
    },
  },
];
