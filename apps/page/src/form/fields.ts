import type { Column } from '../service/types.ts';

/** A control of the form for one column. */
export interface Field {
  readonly name: string;
  readonly control: 'number' | 'choice' | 'word' | 'text' | 'date';
  /** Values to choose from: all of a choice, some of a word. */
  readonly options: readonly string[];
  /** Shown while there is no value. */
  readonly hint: string;
  /** A value like those that the model has seen; empty: none is known. */
  readonly usual: string;
}

/** Returns the controls of a form for columns. */
export function fieldsOf(columns: readonly Column[]): Field[] {
  return columns.map(fieldOf);
}

function fieldOf(column: Column): Field {
  const field = { name: column.name, options: [], hint: '', usual: '' };
  const { kind, mean, levels = [], otherLevels = 0, format } = column;
  switch (kind) {
    case 'number': {
      const usual = mean === undefined ? '' : String(Number(mean.toPrecision(3)));
      return { ...field, control: 'number', usual, hint: usual === '' ? 'a number' : `about ${usual}` };
    }
    case 'boolean':
      return {
        ...field,
        control: 'choice',
        options: ['true', 'false'],
        usual: (mean ?? 0) >= 0.5 ? 'true' : 'false',
      };
    case 'category':
      // A level that is not listed may come, too, when some are not shown.
      return levels.length > 0 && otherLevels === 0
        ? { ...field, control: 'choice', options: levels, usual: usualOf(levels) }
        : { ...field, control: 'word', options: levels, usual: usualOf(levels), hint: 'a word' };
    case 'date':
      return format === undefined || format === 'iso'
        ? { ...field, control: 'date', usual: mean === undefined ? '' : dayOf(mean) }
        : { ...field, control: 'word', hint: `a date (${format})` };
    default:
      return { ...field, control: 'text', hint: 'some words' };
  }
}

/** Returns a level; those without letters often stand for missing values. */
function usualOf(levels: readonly string[]): string {
  return levels.find((level) => /\p{L}/u.test(level)) ?? levels[0] ?? '';
}

/** Returns a day, counted from 1970, as `2024-05-31`. */
function dayOf(days: number): string {
  const date = new Date(Math.floor(days) * 86_400_000);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
}

/** A row to ask, or the reason why what was typed is none. */
type TypedRow = { readonly row: object } | { readonly wrong: string; readonly field: string | null };

/** Returns the row that a form holds. Fields without a value are missing in it. */
export function rowOf(fields: readonly Field[], values: ReadonlyMap<string, string>): TypedRow {
  const row: Record<string, string | number> = Object.create(null);
  for (const { name, control } of fields) {
    const typed = (values.get(name) ?? '').trim();
    if (typed === '') continue;
    if (control !== 'number') row[name] = typed;
    else {
      const value = Number(typed.replace('−', '-').replace(/^([-+]?\d*),(\d+)$/, '$1.$2'));
      if (!Number.isFinite(value)) return { wrong: `“${name}” must be a number; got “${typed}”.`, field: name };
      row[name] = value;
    }
  }
  return { row };
}

/** Returns the row that a text in JSON holds. */
export function rowOfJson(text: string): TypedRow {
  try {
    const row: unknown = JSON.parse(text);
    if (typeof row === 'object' && row !== null) return { row };
  } catch {
    // Told below.
  }
  return {
    wrong: 'This must be an object such as {"weight": 150}, or a list of numbers such as [1, 0.5].',
    field: null,
  };
}
