import { check as checkCertificate, gather } from 'halfspace-certify';
import { modelForReading, readCertificate } from '../data/certificate-file.ts';
import { openInput } from '../data/input.ts';
import type { DataOptions } from '../data/opened.ts';
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
export async function check(path: string, data: readonly string[], options: CheckCommandOptions): Promise<void> {
  const kernels = kernelsOfRun();
  const file = readCertificate(path);
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
    const output = openOutput();
    if (options.json === true) {
      await output.write(`${JSON.stringify({ ...result, certificate: path, notes: input.notes })}\n`);
    } else {
      const { verdict } = certificate as { verdict: string };
      const lines = result.holds ? result.proved.slice(0, mostSentences) : [result.reason];
      if (result.holds && result.proved.length > mostSentences)
        lines.push(`and ${counted(result.proved.length - mostSentences, 'statement')} more`);
      await output.write(
        section('Check', [
          result.holds ? `holds for ${input.name}: ${verdict}` : `does not hold for ${input.name}`,
          ...lines,
        ]),
      );
    }
    await output.finish();
    if (options.json !== true) printNotes(input.notes);
    if (!result.holds) process.exitCode = 1;
  } finally {
    progress.stop();
    input.close();
  }
}
