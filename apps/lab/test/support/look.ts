import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** Cells across and down. A line of text is lost in a cell, a panel or a plane is not. */
const grid = [40, 25] as const;

/** The looks of a page: for red, green and blue, the mean of each cell in steps of a fifteenth, row by row. */
export type Look = readonly (readonly number[])[];

/** Takes a picture of what a page shows, and returns the colours of its cells. */
export async function lookOf(page: Page): Promise<Look> {
  const image = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  const cells = await page.evaluate(
    async ([data, columns, rows]) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d')!;
      context.drawImage(bitmap, 0, 0);
      const { data: pixels, width, height } = context.getImageData(0, 0, bitmap.width, bitmap.height);
      const sums = new Float64Array(columns * rows * 4);
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
          const cell = 4 * (Math.floor((y * rows) / height) * columns + Math.floor((x * columns) / width));
          for (let k = 0; k < 3; k++) sums[cell + k]! += pixels[4 * (y * width + x) + k]!;
          sums[cell + 3]!++;
        }
      return Array.from(sums, (sum, i) => sum / sums[i | 3]!);
    },
    [image.toString('base64'), ...grid] as const,
  );
  return [0, 1, 2].map((k) => cells.filter((_, i) => i % 4 === k).map((mean) => Math.round(mean / 17)));
}

/** Returns the share of cells that differ by more than two steps in some colour. */
export function difference(one: Look, other: Look): number {
  const count = one[0]!.length;
  const differs = (cell: number) => one.some((colour, k) => Math.abs(colour[cell]! - other[k]![cell]!) > 2);
  return Array.from({ length: count }, (_, cell) => cell).filter(differs).length / count;
}

/** Returns the look that is kept in a file; with `LOOKS=write` in the environment the present one is kept first. */
export function keptLook(file: string, present: Look): Look | null {
  const rows = (colour: readonly number[]) =>
    Array.from({ length: grid[1] }, (_, row) =>
      colour
        .slice(row * grid[0], (row + 1) * grid[0])
        .map((step) => step.toString(16))
        .join(''),
    ).join('\n');
  if (process.env.LOOKS === 'write') writeFileSync(file, `${present.map(rows).join('\n\n')}\n`);
  if (!existsSync(file)) return null;
  const parts = readFileSync(file, 'utf8').trimEnd().split('\n\n');
  return parts.map((part) => Array.from(part.replaceAll('\n', ''), (digit) => Number.parseInt(digit, 16)));
}
