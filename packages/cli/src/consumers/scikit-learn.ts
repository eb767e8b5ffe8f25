import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TableEncoding } from 'halfspace';
import { cellReader } from 'halfspace/export';
import type { Answer, Consumer, Exported } from './consumer.ts';
import { firstLine, LineProgram } from './programs.ts';
import type { AskedRow } from './rows.ts';

const asking = `import json, sys
import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix
sys.path.insert(0, sys.argv[1])
from halfspace_pipeline import load
model = load(sys.argv[2])
for line in sys.stdin:
    asked = json.loads(line)
    if "columns" in asked:
        rows = pd.DataFrame({
            name: pd.Series(cells, dtype=object) if kind == "category" else pd.Series(cells, dtype=float)
            for name, kind, cells in asked["columns"]
        })
    else:
        shape = len(asked["offsets"]) - 1, model.coef_.shape[1]
        rows = csr_matrix((np.array(asked["values"], float), asked["indices"], asked["offsets"]), shape)
    answers = {"classes": model.predict(rows).tolist(), "scores": model.decision_function(rows).tolist()}
    print(json.dumps(answers), flush=True)
`;

/** Asks a pipeline of scikit-learn in Python: that of the variable PYTHON, or python3. */
export async function startScikitLearn({ model, text, folder }: Exported): Promise<Consumer | string> {
  const python = process.env.PYTHON || 'python3';
  if (spawnSync(python, ['-c', 'import sklearn, pandas']).status !== 0)
    return `${python} has no scikit-learn and pandas; the variable PYTHON names another Python`;
  const file = (name: string) => join(folder, name);
  writeFileSync(file('asking.py'), asking);
  writeFileSync(file('model.json'), text);
  const version = firstLine(python, '-c', 'import sklearn; print(sklearn.__version__)');
  const program = new LineProgram(python, [file('asking.py'), pipelineFolder(), file('model.json')]);
  const asked = model.features.kind === 'table' ? tableAsked(model.features) : numbersAsked;
  return {
    name: `scikit-learn ${version}`,
    exact: false,
    async ask(rows) {
      const answers = JSON.parse(await program.ask(JSON.stringify(asked(rows)))) as {
        classes: (string | number)[];
        scores: (number | number[])[];
      };
      return answers.classes.map(
        (name, i): Answer => ({ class: String(name), scores: [answers.scores[i]!].flat(), probabilities: null }),
      );
    },
    close: () => program.close(),
  };
}

/** Returns the columns of rows of a table: numbers, null for missing values, the text of categories. */
function tableAsked(features: TableEncoding): (rows: readonly AskedRow[]) => object {
  const readers = features.columns.map((column) => ({ column, read: cellReader(column, features) }));
  return (rows) => ({
    columns: readers.map(({ column: { name, kind }, read }) => [
      name,
      kind,
      rows.map((row) => {
        const cell = read(row);
        return typeof cell === 'number' && Number.isNaN(cell) ? null : cell;
      }),
    ]),
  });
}

/** Returns rows of numbered features as compressed sparse rows. */
function numbersAsked(rows: readonly AskedRow[]): object {
  const sparse = rows as readonly { readonly indices: readonly number[]; readonly values: readonly number[] }[];
  const offsets = [0];
  for (const { indices } of sparse) offsets.push(offsets.at(-1)! + indices.length);
  return { offsets, indices: sparse.flatMap((row) => row.indices), values: sparse.flatMap((row) => row.values) };
}

/** The folder of `halfspace_pipeline.py`. */
function pipelineFolder(): string {
  return join(dirname(fileURLToPath(import.meta.url)), 'python');
}
