import type { Look } from '../view.ts';

/** Half the width of a stroke and its soft edge, in pixels of the image. */
const [core, edge] = [0.35, 1];

/** Returns a drawing with one more stroke between two places, in shares of the side. */
export function withStroke(
  look: Look,
  pixels: number,
  from: readonly [number, number],
  to: readonly [number, number],
): Look {
  const old = look.drawing ?? [];
  const [ax, ay, bx, by] = [from[0] * pixels, from[1] * pixels, to[0] * pixels, to[1] * pixels];
  const length = (bx - ax) ** 2 + (by - ay) ** 2;
  const drawing = Array.from({ length: pixels * pixels }, (_, k) => {
    const [x, y] = [(k % pixels) + 0.5, Math.floor(k / pixels) + 0.5];
    const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length));
    const distance = Math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay));
    const ink = Math.min(1, Math.max(0, (core + edge - distance) / edge));
    return Math.round(100 * Math.max(old[k] ?? 0, ink)) / 100;
  });
  return { ...look, drawing };
}

export function withoutDrawing({ drawing: _, ...look }: Look): Look {
  return look;
}
