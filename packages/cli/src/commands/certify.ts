import { HalfspaceError } from 'halfspace';
import { openWhole, type WholeFile } from 'halfspace/node';
import { certify as certifyExamples, gather } from 'halfspace-certify';
import { certificateFileText, provesMore } from '../data/certificate-file.ts';
import { readFeatureOptions } from '../data/feature-file.ts';
import { openInput } from '../data/input.ts';
import type { DataOptions } from '../data/opened.ts';
import { rawRows } from '../data/raw-rows.ts';
import { claimFiles } from '../files/claim.ts';
import { kernelsOfRun } from '../kernels.ts';
import { openOutput } from '../output.ts';
import { createProgress } from '../progress.ts';
import { certificateJson, certificateText } from '../report/certificate.ts';
import { printNotes } from '../report/notes.ts';
import { interruptSignal } from '../signals.ts';

export interface CertifyCommandOptions extends Omit<DataOptions, 'model' | 'featureOptions'> {
  readonly column?: readonly string[];
  readonly features?: string;
  readonly certificate?: string;
  readonly errors?: boolean;
  readonly seconds?: number;
  readonly json?: boolean;
}

/** `halfspace certify`. */
export async function certify(data: readonly string[], given: CertifyCommandOptions): Promise<void> {
  const started = performance.now();
  const options = await claimFiles('certify', { data }, given);
  const kernels = kernelsOfRun();
  const featureOptions = readFeatureOptions(options.features, options.column);
  const input = await openInput(data, { ...options, scale: options.scale ?? 'none', featureOptions }, kernels);
  let file: WholeFile | null = null;
  const progress = createProgress(input, options.json === true);
  try {
    const path = options.certificate!;
    const signal = interruptSignal();
    file = openWhole(path);
    const { examples, classes } = await gather(input.source, {
      positive: options.positive,
      onRows(rows) {
        progress.rows(rows);
        if (signal.aborted) throw new HalfspaceError('interrupted', 'expected to read all rows; stopped before that');
      },
    });
    input.finish();
    const features = input.source.encoding();
    if (options.scale === 'standard')
      input.notes.push('columns were standardised in floating point first; the certificate is about the results');
    // Reading is part of the time; but whoever gives a second only still wants the line that a second finds.
    const total = options.seconds ?? 60;
    const began = performance.now();
    const seconds = Math.max(total / 3, total - (began - started) / 1000);
    const certificate = await certifyExamples(examples, {
      classes,
      features,
      errors: options.errors,
      seconds,
      signal,
      onProgress: ({ text }) => progress.stage((performance.now() - began) / 1000 / seconds, text),
    });
    progress.stop();
    const kept = await provesMore(path, certificate, signal.aborted);
    if (kept) {
      file.discard();
      input.notes.push(
        signal.aborted
          ? `the search was stopped: the certificate in ${path} stays`
          : `the certificate in ${path} proves more about these data, and stays`,
      );
    } else {
      file.append(await certificateFileText(certificate, path));
      file.finish();
    }
    const found = {
      certificate,
      examples,
      features,
      input,
      path,
      data,
      raw: rawRows(data, input.format, features, examples.rows),
      kept,
      interrupted: signal.aborted,
      seconds: (performance.now() - started) / 1000,
    };
    const output = openOutput();
    await output.write(options.json === true ? `${JSON.stringify(certificateJson(found))}\n` : certificateText(found));
    await output.finish();
    if (options.json !== true) printNotes(input.notes);
  } finally {
    progress.stop();
    file?.discard();
    input.close();
  }
}
