import { join } from 'node:path';
import { ByteFile } from './byte-file.mjs';

/** Dense rows in plain little-endian files: `NAME.values` (float32, row after row) and `NAME.labels` (float64). */
export function denseArrayWriter(folder, name) {
  const values = new ByteFile(join(folder, `${name}.values`));
  const labels = new ByteFile(join(folder, `${name}.labels`));
  return {
    /** @param {{ values: Int32Array, label: number }} row values in ten-thousandths */
    write(row) {
      values.room(4 * row.values.length);
      for (const value of row.values) values.end = values.bytes.writeFloatLE(value / 1e4, values.end);
      labels.room(8);
      labels.end = labels.bytes.writeDoubleLE(row.label, labels.end);
    },
    close: () => ({ [`${name}.values`]: values.close(), [`${name}.labels`]: labels.close() }),
  };
}
