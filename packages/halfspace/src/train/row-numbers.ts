import { numberAround } from '../data/important-rows.ts';
import type { Intake } from './intake.ts';

/** Returns the number in the data, from 0, of the training example at `position` in the order of the data. */
export function rowOfExample({ leftOut, heldOut }: Pick<Intake, 'leftOut' | 'heldOut'>, position: number): number {
  return numberAround(leftOut, numberAround(heldOut, position));
}
