import { numberText } from '../../picture/numbers.ts';

/**
 * Writes the title of an axis of heights, with their scale where a unit upwards is longer or shorter than one
 * sideways.
 */
export function heightTitle(title: string, scale: number): string {
  return Math.abs(scale - 1) < 0.005 ? title : `${title} (heights × ${numberText(scale, 2)})`;
}
