import type { FeatureEncoding } from 'halfspace';
import { columnWidth } from 'halfspace/models';
import type { SparseBatch } from 'halfspace/rules';

type Table = Extract<FeatureEncoding, { kind: 'table' }>;

/** Returns an encoding in which every column has a feature, behind its others, that is 1 where the cell is missing. */
export function withIndicators(features: Table): Table {
  return {
    ...features,
    columns: features.columns.map((column) => ({
      ...column,
      missing: { ...column.missing, indicator: true },
    })) as never,
  };
}

/**
 * Returns examples that were read {@link withIndicators} as the encoding itself has them, and for each of its columns
 * whether a cell was missing.
 */
export function withoutIndicators<Rows extends SparseBatch>(examples: Rows, { columns }: Table) {
  /** For each feature: its number without the further indicators, −1 for these. Then the column of each indicator. */
  const numbers: number[] = [];
  const owners: number[] = [];
  let dimension = 0;
  columns.forEach((column, c) => {
    const width = columnWidth(column);
    const { indicator } = column.missing;
    for (let k = 0; k < width; k++) numbers.push(dimension++);
    if (!indicator) numbers.push(-1);
    owners[numbers.length - 1] = c;
  });
  const missing = columns.map(() => false);
  const indices = new Uint32Array(examples.values.length);
  const values = new Float64Array(examples.values.length);
  let end = 0;
  const offsets = new Uint32Array(examples.rows + 1);
  for (let i = 0; i < examples.rows; i++) {
    for (let at = examples.offsets[i]!; at < examples.offsets[i + 1]!; at++) {
      const feature = examples.indices[at]!;
      const owner = owners[feature];
      if (owner !== undefined) missing[owner] = true;
      if (numbers[feature]! < 0) continue;
      indices[end] = numbers[feature]!;
      values[end++] = examples.values[at]!;
    }
    offsets[i + 1] = end;
  }
  const own = { indices: indices.subarray(0, end), values: values.subarray(0, end), offsets, dimension };
  return { examples: { ...examples, ...own }, missing };
}
