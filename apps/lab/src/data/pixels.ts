/** Returns the column of a pixel, row by row from the top left: `r1c1`. @param width pixels in a row. */
export function pixelName(pixel: number, width: number): string {
  return `r${Math.floor(pixel / width) + 1}c${(pixel % width) + 1}`;
}

/** The pixels that features are, and the size of the images. */
export interface PixelGrid {
  readonly rows: number;
  readonly columns: number;
  /** Pixel of each feature, row by row from the top left. */
  readonly pixels: Uint32Array;
}

/** Returns the grid of features that are named like pixels, up to 32 × 32; null: they are none. */
export function pixelGrid(names: readonly string[]): PixelGrid | null {
  const places = names.map((name) => /^r(\d{1,2})c(\d{1,2})$/.exec(name));
  if (names.length < 4 || places.some((place) => place === null)) return null;
  const [rows, columns] = [1, 2].map((which) => Math.max(...places.map((place) => Number(place![which]))));
  if (rows! > 32 || columns! > 32) return null;
  const side = Math.max(rows!, columns!);
  return {
    rows: side,
    columns: side,
    pixels: Uint32Array.from(places, (place) => (Number(place![1]) - 1) * side + Number(place![2]) - 1),
  };
}
