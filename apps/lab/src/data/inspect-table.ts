import Papa from 'papaparse';

/** What a table looks like before anything is learned from it. */
export interface TableInspection {
  readonly rows: number;
  readonly columns: readonly InspectedColumn[];
}

export interface InspectedColumn {
  readonly name: string;
  /** `number`: every cell that is not empty is one. */
  readonly kind: 'number' | 'text' | 'empty';
  /** Its values and how many rows have each, the most frequent first; null: more than {@link mostClasses}. */
  readonly classes: readonly { readonly value: string; readonly count: number }[] | null;
}

const mostClasses = 50;
/** So many rows say what kinds columns are, and which classes a label has. */
const mostRows = 20_000;

export function inspectTable(text: string): TableInspection {
  const { data, meta, errors } = Papa.parse<string[]>(text, { skipEmptyLines: 'greedy', preview: mostRows });
  const [header, ...rows] = data;
  if (header === undefined || meta.aborted || errors.some(({ code }) => code === 'MissingQuotes'))
    return { rows: 0, columns: [] };
  const columns = header.map((name, at): InspectedColumn => {
    const counts = new Map<string, number>();
    let [numbers, others] = [0, 0];
    for (const row of rows) {
      const cell = (row[at] ?? '').trim();
      if (cell === '') continue;
      if (Number.isFinite(Number(cell))) numbers++;
      else others++;
      if (counts.size <= mostClasses) counts.set(cell, (counts.get(cell) ?? 0) + 1);
    }
    return {
      name: name.trim(),
      kind: others > 0 ? 'text' : numbers > 0 ? 'number' : 'empty',
      classes:
        counts.size > mostClasses
          ? null
          : [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count),
    };
  });
  return { rows: rows.length, columns };
}
