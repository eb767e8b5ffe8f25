import { HalfspaceError, type Model } from 'halfspace';
import { fromJson, fromLiblinear, fromOnnx } from 'halfspace/export';
import { writeWhole } from 'halfspace/node';
import { modelText, readBytes, wholeText } from '../data/model-file.ts';
import { claimFiles } from '../files/claim.ts';
import type { CommandOptions, importFormats } from '../options.ts';
import { printResult } from '../output.ts';
import { counted, listed, section } from '../report/format.ts';

type Format = (typeof importFormats)[number];

/** Runs `halfspace import`. */
export async function importModel(file: string, given: CommandOptions<'import'>): Promise<void> {
  const { from, model: path } = await claimFiles('import', { file }, given);
  const bytes = readBytes(file, 'a model of another program');
  const model = read[from ?? formatOf(bytes, file)](bytes, file);
  writeWhole(path!, await modelText(model, path!));
  const of = model.features.kind === 'table' ? counted(model.features.columns.length, 'column') : 'features by index';
  const lines = [`${path}: a linear model of ${listed(model.classes, 10)} by ${of}`];
  await printResult(false, { json: () => ({}), text: () => section('Model', lines) });
}

const json = (bytes: Uint8Array, file: string) => fromJson(wholeText(bytes, file, 'JSON with coefficients'), file);

const read: Readonly<Record<Format, (bytes: Uint8Array, file: string) => Model>> = {
  liblinear: (bytes, file) => fromLiblinear(wholeText(bytes, file, "LIBLINEAR's model file"), file),
  'scikit-learn': json,
  'onnx-linear': fromOnnx,
  json,
};

/** Returns the format that the beginning of a file shows. */
function formatOf(bytes: Uint8Array, file: string): Format {
  // The first field of ONNX files is the version of the format, field 1 with a whole number: no text begins so.
  if (bytes[0] === 8) return 'onnx-linear';
  const head = new TextDecoder().decode(bytes.subarray(0, 1024));
  if (head.startsWith('solver_type')) return 'liblinear';
  if (/^\s*\{/.test(head)) return 'json';
  throw new HalfspaceError(
    'model-invalid',
    'expected a model file of LIBLINEAR, JSON with coefficients, or an ONNX file; got another file',
    { source: file },
  );
}
