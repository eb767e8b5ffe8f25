import { check as checkCertificate, gather } from 'halfspace-certify';
import { readCertificate } from '../data/certificate-file.ts';
import { claimFiles } from '../files/claim.ts';
import type { CommandOptions } from '../options.ts';
import { printResult } from '../output.ts';
import { counted, section } from '../report/format.ts';
import { withInput } from './with-input.ts';

/** Maximum number of proved statements that are printed. */
const mostStatements = 8;

/** Runs `halfspace check`: exit status 0 if the certificate holds for the data, 1 if it does not. */
export async function check(path: string, data: readonly string[], given: CommandOptions<'check'>): Promise<void> {
  const options = await claimFiles('check', { certificate: path, data }, given);
  const file = await readCertificate(path);
  if (file === null) {
    const reason = 'the certificate was changed after it was made: its own digest does not fit';
    return print({ holds: false, reason }, data.join(' '), []);
  }
  const { certificate, features, classes } = file;
  // A table is read with the certificate's encoding. Text is read without it, because a reader with a known encoding
  // leaves out unknown features; its own encoding must then be the same.
  const isTable = features.kind === 'table';
  const bits = features.kind === 'hashed' ? features.bits : undefined;
  const encodedFor = isTable ? { features } : undefined;
  await withInput(data, { ...options, bits, encodedFor }, async ({ input, progress }) => {
    const { examples } = await gather(input.source, { classes, onRows: (rows) => progress.rows(rows) });
    input.finish();
    progress.stop();
    const same = isTable || JSON.stringify(input.source.encoding()) === JSON.stringify(features);
    const result = same
      ? await checkCertificate(certificate, examples)
      : { holds: false as const, reason: 'the data have other features than the certificate is about' };
    await print(result, input.name, input.notes);
  });

  function print(
    result: Awaited<ReturnType<typeof checkCertificate>>,
    name: string,
    notes: readonly string[],
  ): Promise<void> {
    if (!result.holds) process.exitCode = 1;
    return printResult(options.json, {
      json: () => ({ ...result, certificate: path, notes }),
      text() {
        if (!result.holds) return section('Check', [`does not hold for ${name}`, result.reason]);
        const { verdict } = file!.certificate as { verdict: string };
        const more = result.proved.length - mostStatements;
        return section('Check', [
          `holds for ${name}: ${verdict}`,
          ...result.proved.slice(0, mostStatements),
          ...(more > 0 ? [`and ${counted(more, 'statement')} more`] : []),
        ]);
      },
      notes,
    });
  }
}
