import type { Look } from '../view.ts';

/** The layers of the plane, and their defaults. */
export const planeLayers = [
  { id: 'regions', title: 'Sides of the line', first: true },
  { id: 'margin', title: 'Its margin and normal', first: true },
  { id: 'update', title: 'The update as vectors', first: true },
  { id: 'contradiction', title: 'Where hulls meet', first: true },
  { id: 'forced', title: 'Where all lines agree', first: false },
  { id: 'star', title: 'Widest margin: w*', first: false },
  { id: 'radius', title: 'Radius R', first: false },
] as const;

export type PlaneLayer = (typeof planeLayers)[number]['id'];

export function isShown({ layers }: Look, id: PlaneLayer): boolean {
  return layers?.[id] ?? planeLayers.find((layer) => layer.id === id)!.first;
}
