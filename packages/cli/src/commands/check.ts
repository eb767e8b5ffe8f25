import { type CheckResult, check as checkCertificate, gather } from 'halfspace-certify';
import { modelForReading, readCertificate } from '../data/certificate-file.ts';
import { openInput } from '../data/input.ts';
import type { DataOptions } from '../data/opened.ts';
import { claimFiles } from '../files/claim.ts';
import { kernelsOfRun } from '../kernels.ts';
import { openOutput } from '../output.ts';
import { createProgress } from '../progress.ts';
import { counted, section } from '../report/format.ts';
import { printNotes } from '../report/notes.ts';

export interface CheckCommandOptions extends Omit<DataOptions, 'model'> {
  readonly json?: boolean;
}

/** More sentences than this are summed up. */
const mostSentences = 8;

/** `halfspace check`: exit status 0 when the certificate holds for the data, 1 when it does not. */
export async function check(path: string, data: readonly string[], given: CheckCommandOptions): Promise<void> {
  const options = await claimFiles('check', { certificate: path, data }, given);
  const kernels = kernelsOfRun();
  const file = await readCertificate(path);
  if (file === null) {
    const reason = 'the certificate was changed after it was made: its own digest does not fit';
    await tell({ holds: false, reason }, { path, name: data.join(' '), verdict: null, notes: [] }, options);
    return;
  }
  const { certificate, features, classes } = file;
  // Text is read afresh and must come out the same: reading it for a model would leave out what the model does not know.
  const isTable = features.kind === 'table';
  const bits = features.kind === 'hashed' ? features.bits : undefined;
  const model = isTable ? modelForReading(file, path) : undefined;
  const input = await openInput(data, { ...options, bits, model }, kernels);
  const progress = createProgress(input, options.json === true);
  try {
    const { examples } = await gather(input.source, { classes, onRows: (rows) => progress.rows(rows) });
    input.finish();
    progress.stop();
    const same = isTable || JSON.stringify(input.source.encoding()) === JSON.stringify(features);
    const result = same
      ? await checkCertificate(certificate, examples)
      : { holds: false as const, reason: 'the data have other features than the certificate is about' };
    const { verdict } = certificate as { verdict: string };
    await tell(result, { path, name: input.name, verdict, notes: input.notes }, options);
    if (options.json !== true) printNotes(input.notes);
  } finally {
    progress.stop();
    input.close();
  }
}

interface Checked {
  readonly path: string;
  /** Of the data. */
  readonly name: string;
  readonly verdict: string | null;
  readonly notes: readonly string[];
}

async function tell(result: CheckResult, checked: Checked, { json }: CheckCommandOptions): Promise<void> {
  const { path, name, verdict, notes } = checked;
  const output = openOutput();
  if (json === true) await output.write(`${JSON.stringify({ ...result, certificate: path, notes })}\n`);
  else {
    const lines = result.holds ? result.proved.slice(0, mostSentences) : [result.reason];
    if (result.holds && result.proved.length > mostSentences)
      lines.push(`and ${counted(result.proved.length - mostSentences, 'statement')} more`);
    const heading = result.holds ? `holds for ${name}: ${verdict}` : `does not hold for ${name}`;
    await output.write(section('Check', [heading, ...lines]));
  }
  await output.finish();
  if (!result.holds) process.exitCode = 1;
}
