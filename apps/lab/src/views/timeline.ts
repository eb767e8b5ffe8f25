import { countUpTo, type Recording } from '../engine/recording.ts';
import { lineMark, symbolMark, textMark } from '../picture/marks.ts';
import type { Frame, Mark, Picture } from '../picture/picture.ts';

type Run = Pick<Recording, 'steps' | 'updates' | 'passes'>;

/** Space left and right of the rail, so that the handle is never cut off. */
const side = 9;

/**
 * Draws a run from left to right: a tick for every update (of many updates, for every two pixels with an update), the
 * passes below, and the present step.
 * @param concealed true: nothing after the present step is told.
 */
export function drawTimeline(whole: Run, step: number, { width, height, text }: Frame, concealed = false): Picture {
  const { steps, passes } = whole;
  const updates = concealed ? whole.updates.subarray(0, countUpTo(whole.updates, step)) : whole.updates;
  const run = { steps, updates, passes };
  const x = (at: number) => side + (steps === 0 ? 0 : at / steps) * (width - 2 * side);
  const [top, middle, bottom] = [3, height * 0.52, height - 3];
  const marks: Mark[] = [];
  marks.push(lineMark([side, middle], [width - side, middle], { stroke: 'grid', width: 4 }));
  if (step > 0) marks.push(lineMark([side, middle], [x(step), middle], { stroke: 'muted', width: 4, id: 'gone by' }));
  const spacing = steps === 0 ? 0 : ((passes[1] ?? steps) / steps) * (width - 2 * side);
  if (spacing >= 5)
    passes.forEach((began, k) => {
      marks.push(lineMark([x(began), middle], [x(began), bottom], { stroke: 'muted', width: 1 }));
      if (spacing >= text * 2.2 && height > text * 2.4)
        marks.push(textMark([x(began) + 4, bottom + 2], `${k + 1}`, text * 0.8, { baseline: 'bottom', fill: 'muted' }));
    });
  for (const { at, share } of ticks(run, Math.max(1, Math.floor((width - 2 * side) / 2))))
    marks.push(
      lineMark([x(at), top + (1 - share) * (middle - top) * 0.5], [x(at), middle], {
        stroke: 'update',
        width: 1.5,
        opacity: at <= step ? 1 : 0.4,
        id: updates.length < 100 ? `update at ${at}` : 'updates',
      }),
    );
  marks.push(
    lineMark([x(step), top], [x(step), bottom], { stroke: 'ink', width: 2, id: 'now' }),
    symbolMark('disc', [x(step), middle], 13, { fill: 'ink', stroke: 'paper', width: 2 }),
  );
  return { width, height, marks };
}

/** Returns the step under a pixel. */
export function stepUnder(pixel: number, width: number, steps: number): number {
  return Math.max(0, Math.min(steps, Math.round(((pixel - side) / (width - 2 * side)) * steps)));
}

/** Returns the places of the ticks, and the share of examples there that made an update, in (0, 1]. */
function ticks({ steps, updates }: Run, columns: number): { readonly at: number; readonly share: number }[] {
  if (updates.length <= columns / 2) return Array.from(updates, (at) => ({ at, share: 1 }));
  const found: { at: number; share: number }[] = [];
  let before = 0;
  for (let c = 0; c < columns; c++) {
    const [from, to] = [Math.floor((c * steps) / columns), Math.floor(((c + 1) * steps) / columns)];
    const upTo = countUpTo(updates, to);
    if (upTo > before) found.push({ at: to, share: Math.min(1, (upTo - before) / Math.max(1, to - from)) });
    before = upTo;
  }
  return found;
}
