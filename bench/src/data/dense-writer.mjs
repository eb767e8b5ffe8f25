import { join } from 'node:path';
import { ByteFile, putInteger } from './byte-file.mjs';
import { columns } from './dense-rows.mjs';

/**
 * Dense rows as libsvm text, Vowpal Wabbit text and CSV with a header line: the same numbers with four decimals in
 * each.
 */
export function denseWriter(folder, name) {
  const svm = new ByteFile(join(folder, `${name}.svm`));
  const vw = new ByteFile(join(folder, `${name}.vw`));
  const csv = new ByteFile(join(folder, `${name}.csv`));
  csv.text(`label,${Array.from({ length: columns }, (_, j) => `x${j + 1}`).join(',')}\n`);
  const most = 16 + 24 * columns;
  return {
    /** @param {{ values: Int32Array, label: number }} row */
    write({ values, label }) {
      svm.room(most);
      vw.room(most);
      csv.room(most);
      svm.text(label > 0 ? '+1' : '-1');
      csv.text(label > 0 ? '1' : '-1');
      vw.text(label > 0 ? '1 |f' : '-1 |f');
      const featuresFrom = svm.end;
      for (let j = 0; j < columns; j++) {
        csv.text(',');
        csv.end = putValue(csv.bytes, csv.end, values[j]);
        svm.text(' ');
        svm.end = putInteger(svm.bytes, svm.end, j + 1, 1);
        svm.text(':');
        svm.end = putValue(svm.bytes, svm.end, values[j]);
      }
      svm.text('\n');
      csv.text('\n');
      vw.end += svm.bytes.copy(vw.bytes, vw.end, featuresFrom, svm.end);
    },
    close: () => ({
      [`${name}.svm`]: svm.close(),
      [`${name}.vw`]: vw.close(),
      [`${name}.csv`]: csv.close(),
    }),
  };
}

function putValue(bytes, at, tenThousandths) {
  if (tenThousandths < 0) {
    bytes[at++] = 45;
    tenThousandths = -tenThousandths;
  }
  const whole = Math.floor(tenThousandths / 1e4);
  at = putInteger(bytes, at, whole, 1);
  bytes[at++] = 46;
  return putInteger(bytes, at, tenThousandths - 1e4 * whole, 4);
}
