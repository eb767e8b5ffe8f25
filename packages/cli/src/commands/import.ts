import { HalfspaceError } from 'halfspace';
import { writeWhole } from 'halfspace/node';
import { fromJson, fromLiblinear } from 'halfspace-export';
import { modelText, readWhole } from '../data/model-file.ts';
import { claimFiles } from '../files/claim.ts';
import type { CommandOptions } from '../options.ts';
import { printResult } from '../output.ts';
import { counted, listed, section } from '../report/format.ts';

/** Runs `halfspace import`. */
export async function importModel(file: string, given: CommandOptions<'import'>): Promise<void> {
  const { from, model: path } = await claimFiles('import', { file }, given);
  const text = readWhole(file, 'a model of another program');
  const format = from ?? (text.startsWith('solver_type') ? 'liblinear' : /^\s*\{/.test(text) ? 'json' : null);
  if (format === null)
    throw new HalfspaceError(
      'model-invalid',
      'expected a model file of LIBLINEAR or JSON with coefficients; got another file',
      { source: file },
    );
  const model = format === 'liblinear' ? fromLiblinear(text, file) : fromJson(text, file);
  writeWhole(path!, await modelText(model, path!));
  const of = model.features.kind === 'table' ? counted(model.features.columns.length, 'column') : 'features by index';
  const lines = [`${path}: a linear model of ${listed(model.classes, 10)} by ${of}`];
  await printResult(false, { json: () => ({}), text: () => section('Model', lines) });
}
