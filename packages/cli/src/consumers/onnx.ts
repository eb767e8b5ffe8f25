import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FeatureEncoding } from 'halfspace';
import { cellReader } from 'halfspace/export';
import type { Answer, Consumer, Exported } from './consumer.ts';
import { firstLine, LineProgram } from './programs.ts';
import type { AskedRow } from './rows.ts';

/** Rows of numbered features become dense, some at once: 16 million numbers are 128 MiB. */
const asking = `import json, sys
import numpy as np
import onnxruntime
session = onnxruntime.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"])
names = [each.name for each in session.get_outputs()]
def answer(feeds):
    return [each.tolist() for each in session.run(names, feeds)]
for line in sys.stdin:
    asked = json.loads(line)
    if "columns" in asked:
        answers = answer({
            name: np.array(cells, dtype=object if is_text else np.float64).reshape(-1, 1)
            for name, is_text, cells in asked["columns"]
        })
    else:
        width = session.get_inputs()[0].shape[1]
        step = max(1, 16_000_000 // width)
        for first in range(0, len(asked["rows"]), step):
            some = asked["rows"][first:first + step]
            rows = np.zeros((len(some), width))
            for row, (places, values) in zip(rows, some):
                row[places] = values
            own = answer({"features": rows})
            answers = own if first == 0 else [before + more for before, more in zip(answers, own)]
    print(json.dumps(answers), flush=True)
`;

/** Asks ONNX Runtime in Python: that of the variable PYTHON, or python3. */
export async function startOnnx({ model, text, folder }: Exported): Promise<Consumer | string> {
  const python = process.env.PYTHON || 'python3';
  if (spawnSync(python, ['-c', 'import onnxruntime']).status !== 0)
    return `${python} has no onnxruntime; the variable PYTHON names another Python`;
  const file = (name: string) => join(folder, name);
  writeFileSync(file('asking.py'), asking);
  writeFileSync(file('model.onnx'), text);
  const version = firstLine(python, '-c', 'import onnxruntime; print(onnxruntime.__version__)');
  const program = new LineProgram(python, [file('asking.py'), file('model.onnx')]);
  const asked = askedBy(model.features);
  return {
    name: `ONNX Runtime ${version}`,
    exact: model.kind === 'tree' && model.calibration === null,
    async ask(rows) {
      const [labels, scores, probabilities] = JSON.parse(await program.ask(JSON.stringify(asked(rows)))) as [
        string[],
        number[][],
        number[][]?,
      ];
      return labels.map(
        (name, i): Answer => ({ class: name, scores: scores[i]!, probabilities: probabilities?.[i] ?? null }),
      );
    },
    close: () => program.close(),
  };
}

/** Returns a function that turns rows into the inputs of a file: columns, or features by number. */
function askedBy(features: FeatureEncoding): (rows: readonly AskedRow[]) => object {
  if (features.kind === 'table') {
    const readers = features.columns.map((column) => ({ column, read: cellReader(column, features) }));
    return (rows) => ({
      columns: readers.map(({ column: { name, kind }, read }) => [
        name,
        kind === 'category',
        // JSON has no NaN; Python makes it of null.
        rows.map((row) => read(row) ?? (kind === 'category' ? '' : null)),
      ]),
    });
  }
  if (features.kind !== 'named') {
    const sparse = (row: AskedRow) =>
      row as { readonly indices: readonly number[]; readonly values: readonly number[] };
    return (rows) => ({ rows: rows.map((row) => [sparse(row).indices, sparse(row).values]) });
  }
  const places = new Map(features.names.map((name, j) => [name, j]));
  return (rows) => ({
    rows: rows.map((row) => {
      const known = Object.entries(row as Record<string, number>).filter(([name]) => places.has(name));
      return [known.map(([name]) => places.get(name)), known.map(([, value]) => value)];
    }),
  });
}
