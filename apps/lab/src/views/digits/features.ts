import { type PixelGrid, pixelGrid } from '../../data/pixels.ts';
import type { Examples } from '../../engine/examples.ts';
import { remember } from '../cache.ts';
import { isMeasured } from '../plane/ground.ts';

/** The pixels of a table of images, and the largest value of a pixel. */
export interface ImageTable extends PixelGrid {
  readonly most: number;
}

/** Returns the image table of examples; null: their features are no pixels. */
export const imagesOf = remember((examples: Examples): ImageTable | null => {
  const grid = pixelGrid(examples.featureNames);
  if (grid === null) return null;
  let most = 0;
  for (let k = 0; k < examples.vectors.length; k++)
    most = Math.max(most, rawValue(examples, k % examples.dimension, examples.vectors[k]!));
  return most > 0 ? { ...grid, most } : null;
});

/** Returns the value of a feature's column, from its encoding. */
function rawValue({ encoding }: Examples, feature: number, encoded: number): number {
  const column = encoding.columns[feature]!;
  return encoding.scale === 'standard' && isMeasured(column) ? encoded * column.deviation + column.mean : encoded;
}

/** Returns the ink of an example's pixels, in [0, 1]. */
export function inkOf(examples: Examples, table: ImageTable, x: Float64Array): Float64Array {
  const ink = new Float64Array(table.columns * table.columns);
  x.forEach((value, j) => {
    ink[table.pixels[j]!] = Math.min(1, Math.max(0, rawValue(examples, j, value) / table.most));
  });
  return ink;
}

/** Returns the features of ink, as the run encodes them. */
export function featuresOfInk(examples: Examples, table: ImageTable, ink: ArrayLike<number>): Float64Array {
  const { encoding } = examples;
  return Float64Array.from(table.pixels, (pixel, j) => {
    const value = (ink[pixel] ?? 0) * table.most;
    const column = encoding.columns[j]!;
    return encoding.scale === 'standard' && isMeasured(column) ? (value - column.mean) / column.deviation : value;
  });
}

/** Returns weights in the places of their pixels. */
export function weightImage(table: ImageTable, weights: ArrayLike<number>): Float64Array {
  const image = new Float64Array(table.columns * table.columns);
  table.pixels.forEach((pixel, j) => {
    image[pixel] = weights[j]!;
  });
  return image;
}
