import type { Model } from 'halfspace';
import { fromJson, fromLiblinear, fromOnnx } from 'halfspace/export';
import { readWhole, wholeKinds, wholeText, writeWhole } from 'halfspace/node';
import { modelText } from '../data/model-file.ts';
import { claimFiles } from '../files/claim.ts';
import { otherPath } from '../files/paths.ts';
import type { CommandOptions, importFormats } from '../options.ts';
import { printResult } from '../output.ts';
import { counted, listed, section } from '../report/format.ts';

type Format = (typeof importFormats)[number];

/** Runs `halfspace import`. */
export async function importModel(file: string, given: CommandOptions<'import'>): Promise<void> {
  const { from, model: path } = await claimFiles('import', { file }, given);
  const { imported } = wholeKinds;
  const bytes = readWhole(file, from === undefined ? imported : { ...imported, begins: /^/ }, otherPath);
  const model = read[from ?? formatOf(bytes)](bytes, file);
  writeWhole(path!, await modelText(model, path!));
  const of = model.features.kind === 'table' ? counted(model.features.columns.length, 'column') : 'features by index';
  const lines = [`${path}: a linear model of ${listed(model.classes, 10)} by ${of}`];
  await printResult(false, { json: () => ({}), text: () => section('Model', lines) });
}

const json = (bytes: Uint8Array, file: string) =>
  fromJson(wholeText(bytes, file, { what: 'JSON with coefficients', code: 'model-invalid' }), file);

const read: Readonly<Record<Format, (bytes: Uint8Array, file: string) => Model>> = {
  liblinear: (bytes, file) =>
    fromLiblinear(wholeText(bytes, file, { what: "LIBLINEAR's model file", code: 'model-invalid' }), file),
  'scikit-learn': json,
  'onnx-linear': fromOnnx,
  json,
};

/** Returns the format that the beginning of a file shows; `readWhole` refused other beginnings. */
function formatOf(bytes: Uint8Array): Format {
  if (bytes[0] === 8) return 'onnx-linear';
  return bytes[0] === 's'.charCodeAt(0) ? 'liblinear' : 'json';
}
