import type { Model } from 'halfspace';
import { writeWhole } from 'halfspace/node';
import {
  type COptions,
  type JavaScriptOptions,
  type SqlOptions,
  toC,
  toJavaScript,
  toLiblinear,
  toScikitLearn,
  toSql,
  toTypeScript,
} from 'halfspace-export';
import { readModel } from '../data/model-file.ts';
import { claimFiles } from '../files/claim.ts';
import { type CommandOptions, exportOptions } from '../options.ts';
import { openOutput } from '../output.ts';
import { usage } from '../usage.ts';

/** Runs `halfspace export`. */
export async function exportModel(modelPath: string, given: CommandOptions<'export'>): Promise<void> {
  const options = await claimFiles('export', { model: modelPath }, given);
  const { to, output } = options;
  if (to === undefined) throw usage(`expected --to with ${Object.keys(exportOptions).join(', ')}`);
  for (const name of ['form', 'name', 'dialect', 'table'] as const)
    if (options[name] !== undefined && !exportOptions[to].includes(name as never))
      throw usage(`--${name} is not for --to ${to}`);
  const text = write[to](readModel(modelPath), options);
  if (output !== undefined) {
    writeWhole(output, text);
    return;
  }
  const out = openOutput(undefined, true);
  await out.flush(text);
  await out.finish();
}

type Options = Pick<JavaScriptOptions & COptions & SqlOptions, 'form' | 'name' | 'dialect' | 'table'>;

const write: Readonly<Record<keyof typeof exportOptions, (model: Model, options: Options) => string>> = {
  javascript: toJavaScript,
  typescript: toTypeScript,
  c: toC,
  sql: toSql,
  liblinear: toLiblinear,
  'scikit-learn': toScikitLearn,
};
