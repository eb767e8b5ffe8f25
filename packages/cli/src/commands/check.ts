import { readWhole, wholeKinds } from 'halfspace/node';
import {
  type Certificate,
  canonicalRows,
  changesOf,
  check as checkCertificate,
  gather,
  statedFeatures,
  withProducts,
} from 'halfspace-certify';
import { readCertificate } from '../data/certificate-file.ts';
import { withIndicators, withoutIndicators } from '../data/missing-cells.ts';
import { meaningOf } from '../data/written-numbers.ts';
import { claimFiles } from '../files/claim.ts';
import type { CommandOptions } from '../options.ts';
import { printResult } from '../output.ts';
import { numbersLines } from '../report/certificate.ts';
import { counted, section } from '../report/format.ts';
import { usage } from '../usage.ts';
import { withInput } from './with-input.ts';

/** Maximum number of proved statements that are printed. */
const mostStatements = 8;

const signsOnly =
  'canonical rows have signs and numbers: the names of classes and columns in the certificate were not compared with anything';

/** Runs `halfspace check`: exit status 0 if the certificate holds for the data, 1 if it does not. */
export async function check(path: string, data: readonly string[], given: CommandOptions<'check'>): Promise<void> {
  const options = await claimFiles('check', { certificate: path, data }, given);
  const file = await readCertificate(path);
  if (file === null) {
    const reason = 'the certificate was changed after it was made: its own digest does not fit';
    return print({ holds: false, reason }, data.join(' '), []);
  }
  const { certificate, features, classes } = file;
  if (options.canonical === true) {
    if (data.length !== 1 || data[0] === '-') throw usage('expected one file of canonical rows');
    const rows = readWhole(data[0]!, wholeKinds.canonicalRows);
    return print(await checkCertificate(certificate, rows), data[0]!, [signsOnly]);
  }
  // A table is read with the certificate's encoding. Text is read without it, because a reader with a known encoding
  // leaves out unknown features; its own encoding must then be the same.
  const table = features.kind === 'table' ? features : null;
  // Crosses are numbered by the features of their columns.
  const isMarked = table !== null && table.crosses === undefined;
  const bits = features.kind === 'hashed' ? features.bits : undefined;
  const encodedFor = table === null ? undefined : { features: isMarked ? withIndicators(table) : table };
  await withInput(data, { ...options, bits, encodedFor }, async ({ input, progress }) => {
    const { examples: read, classes: found } = await gather(input.source, { classes, onRows: progress.rows });
    const { examples, missing } = isMarked ? withoutIndicators(read, table) : { examples: read, missing: null };
    input.finish();
    progress.stop();
    const same = table !== null || JSON.stringify(input.source.encoding()) === JSON.stringify(features);
    if (!same) return refuse('the data have other features than the certificate is about');
    if (found.some((name, k) => name !== classes[k]))
      return refuse(`the classes of the data are ${found.join(', ')}; the certificate says ${classes.join(', ')}`);
    if (JSON.stringify(statedFeatures(features)) !== JSON.stringify(features))
      return refuse('the features say what the data do not determine');
    const wrong = table?.columns.find(({ missing: { count } }, c) => missing !== null && count > 0 !== missing[c]);
    if (wrong !== undefined) return refuse(`the missing cells of ${wrong.name} are not those that the features say`);
    const { numbers, changes, dimension, products } = (certificate as Partial<Certificate>).data ?? {};
    if (dimension !== examples.dimension + (products?.length ?? 0))
      return refuse(
        `the data have ${examples.dimension} features, without products; the certificate says ${dimension}`,
      );
    if (JSON.stringify(changes) !== JSON.stringify(changesOf(features)))
      return refuse('the changes of the data are not those that features says');
    if (numbers !== 'written')
      return judge(canonicalRows(products === undefined ? examples : withProducts(examples, features, products)));
    const { decimal, because } = await meaningOf(data, input, features, examples.dimension, options);
    if (decimal === undefined)
      return refuse(`the numbers cannot be meant as written: ${because || 'columns are standardised'}`);
    return judge(canonicalRows({ ...examples, decimal }));

    async function judge(rows: Uint8Array): Promise<void> {
      return print(await checkCertificate(certificate, rows), input.name, input.notes);
    }

    function refuse(reason: string): Promise<void> {
      return print({ holds: false, reason }, input.name, input.notes);
    }
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
        const certificate = file!.certificate as Certificate;
        const { verdict } = certificate;
        const more = result.proved.length - mostStatements;
        return section('Check', [
          `holds for ${name}: ${verdict}`,
          `about ${numbersLines(certificate).join('; ')}`,
          ...result.proved.slice(0, mostStatements),
          ...(more > 0 ? [`and ${counted(more, 'statement')} more`] : []),
        ]);
      },
      notes,
    });
  }
}
