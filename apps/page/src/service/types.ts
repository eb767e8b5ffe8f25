import type { Columns, Course, Model, Weights } from 'halfspace-server/client';

export type { CurvePoint, ShadowFigures } from 'halfspace-server/client';

export type Column = Columns['columns'][number];
/** The strongest weights of a class. */
export type ClassWeights = Weights['functions'][number];
/** A model, as the list and its events tell of it. */
export type ShownModel = Omit<Model, 'metrics'> & { readonly metrics: Course | null };
