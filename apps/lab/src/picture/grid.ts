import type { DescribedFunction } from 'halfspace/models';
import { titleMarks } from './axes.ts';
import { pathMark, textMark } from './marks.ts';
import { numberText } from './numbers.ts';
import type { Frame, Mark, Picture, Spot } from './picture.ts';
import { fitText, textWidth } from './text-width.ts';
import { edgeTexts } from './values.ts';

type Grid = DescribedFunction['grids'][number];
type Steps = Grid['sides'][number];

/** Draws what two crossed columns add to the score: a cell for each pair of groups, and a key of the colours. */
export function gridPicture({ sides: [across, upwards], size: [columns, rows], values }: Grid, frame: Frame): Picture {
  const { width, height, text } = frame;
  const small = text * 0.85;
  const most = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) || 1;
  const ticks = ticksOf(upwards);
  const widest = ticks.reduce((wide, { reads }) => Math.max(wide, textWidth(reads, small)), 0);
  const left = Math.min(width * 0.35, widest + text * 2.4);
  const box = { left, right: width - text, top: text * 2.8, bottom: height - text * 2.9 };
  const cell: Spot = [(box.right - box.left) / columns, (box.bottom - box.top) / rows];
  const marks: Mark[] = [];
  const patch = ([x, y]: Spot, [wide, tall]: Spot, value: number, id: string) => {
    const corners: Spot[] = [
      [x, y],
      [x + wide, y],
      [x + wide, y + tall],
      [x, y + tall],
    ];
    marks.push(pathMark(corners, { ...shade(value / most), closed: true, id }));
  };
  for (let i = 0; i < columns; i++)
    for (let j = 0; j < rows; j++)
      patch([box.left + i * cell[0], box.bottom - (j + 1) * cell[1]], cell, values[i * rows + j]!, `cell ${i} ${j}`);
  const corners: Spot[] = [
    [box.left, box.top],
    [box.right, box.top],
    [box.right, box.bottom],
    [box.left, box.bottom],
  ];
  marks.push(pathMark(corners, { stroke: 'grid', width: 1, closed: true }));
  let free = -Infinity;
  for (const { at, reads, isName } of ticksOf(across)) {
    const shown = fitText(reads, small, isName ? Math.max(cell[0] - 2, text * 2) : width);
    const [middle, half] = [box.left + at * cell[0], textWidth(shown, small) / 2];
    if (middle - half < free) continue;
    free = middle + half + text * 0.4;
    marks.push(
      textMark([middle, box.bottom + text * 0.4], shown, small, { anchor: 'middle', baseline: 'top', fill: 'muted' }),
    );
  }
  let last = Infinity;
  for (const { at, reads } of ticks) {
    const up = box.bottom - at * cell[1];
    if (up > last - text * 1.1) continue;
    last = up;
    const shown = fitText(reads, small, left - text * 2.2);
    marks.push(textMark([left - text * 0.5, up], shown, small, { anchor: 'end', fill: 'muted' }));
  }
  const titles = [across, upwards].map(({ column }, k) =>
    fitText(column, text, k === 0 ? width - left : height - text * 6),
  );
  marks.push(...titleMarks(box, frame, titles[0]!, titles[1]!));
  // The key: nine patches from the least to the largest value.
  const [one, from] = [text * 1.1, box.left + textWidth(numberText(-most), small) + text * 0.6];
  for (let k = 0; k < 9; k++) patch([from + k * one, text * 0.6], [one, text * 0.9], ((k - 4) / 4) * most, `key ${k}`);
  const middle = text * 1.05;
  marks.push(
    textMark([from - text * 0.4, middle], numberText(-most), small, { anchor: 'end', fill: 'muted' }),
    textMark([from + 9 * one + text * 0.4, middle], `${numberText(most)} added`, small, { fill: 'muted' }),
  );
  return { width, height, marks };
}

/** Returns the colour of a value in [−1, 1]. */
function shade(value: number) {
  return { fill: value > 0 ? ('positive' as const) : ('negative' as const), opacity: Math.abs(value) };
}

/** Returns texts at edges between groups, and in the middle of groups with names. */
function ticksOf({
  edges,
  names,
  format,
}: Steps): { readonly at: number; readonly reads: string; readonly isName: boolean }[] {
  const intervals = edges === null ? 0 : edges.length + 1;
  return [
    ...edgeTexts(edges ?? [], format).map((reads, k) => ({ at: k + 1, reads, isName: false })),
    ...names.map((reads, k) => ({ at: intervals + k + 0.5, reads, isName: true })),
  ];
}
