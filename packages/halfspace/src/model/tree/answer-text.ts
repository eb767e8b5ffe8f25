import { printable } from '../../printable.ts';
import type { TreeColumn } from './columns.ts';
import type { DecisionTree, TreeSplit } from './decision-tree.ts';

/** Returns the answer that leads to a child, without the column's name: `≤ 97.5`, `= Japan`, `false`, `missing`. */
export function answerText(tree: DecisionTree, split: TreeSplit, child: number): string {
  const column = tree.columns[split.column]!;
  switch (split.kind) {
    case 'number': {
      if (column.kind === 'boolean') return child === 0 ? '= false' : '= true';
      return `${child === 0 ? '≤' : '>'} ${numberText(column, split.threshold)}`;
    }
    case 'category': {
      const level = split.levels[child];
      if (level === undefined) return 'otherwise';
      if (column.kind !== 'category') return `= ${level}`;
      // This child also receives all levels without a child.
      const more = child === split.missing && split.levels.length < column.levels.length ? ' or other' : '';
      return `= ${column.levels[level]!}${more}`;
    }
    case 'missing':
      return child === 0 ? 'is there' : 'is missing';
  }
}

/** Returns a date in ISO form, or a number with six digits (the model has all of them). */
function numberText(column: TreeColumn, value: number): string {
  if (column.kind === 'date') {
    const time = value * 86_400_000;
    if (Math.abs(time) <= 8.64e15) {
      const text = new Date(time).toISOString();
      // A time of day.
      if (value > 0 && value < 1) return text.slice(11, 16);
      return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : `${text.slice(0, 16)}Z`;
    }
  }
  const short = Number(value.toPrecision(6));
  return String(short + 0);
}

/** Returns a count as text: `1,234`, or `12.5` for fractional importance. */
export function countText(count: number): string {
  const rounded = Number.isInteger(count) ? count : Number(count.toPrecision(4));
  return String(rounded).replace(/^\d+/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ','));
}

/** Makes a text printable and cuts it to at most `width` characters. */
export function shorten(text: string, width: number): string {
  const shown = printable(text);
  const letters = [...shown];
  if (letters.length <= width) return shown;
  // Removes joiners at the cut; they would join nothing.
  return `${letters
    .slice(0, Math.max(0, width - 1))
    .join('')
    .replace(/[\u200c\u200d]+$/, '')}…`;
}
