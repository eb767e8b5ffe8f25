import { readFileSync, statSync } from 'node:fs';
import { type FeatureEncoding, HalfspaceError } from 'halfspace';
import { openWhole } from 'halfspace/node';
import type { SparseBatch } from 'halfspace/rules';
import { canonicalRows, certify as certifyExamples, gather, viprPieces, withProducts } from 'halfspace-certify';
import { certificateFileText, provesMore } from '../data/certificate-file.ts';
import type { DataOptions } from '../data/opened.ts';
import { type Meaning, meaningOf } from '../data/written-numbers.ts';
import { claimFiles } from '../files/claim.ts';
import type { Format } from '../files/formats.ts';
import type { CommandOptions } from '../options.ts';
import { printResult } from '../output.ts';
import { certificateJson, certificateText, unreadJson, unreadText } from '../report/certificate.ts';
import { interruptSignal, stopSignal, unlessStopped } from '../signals.ts';
import { type Session, withInput } from './with-input.ts';

/** Runs `halfspace certify`. */
export async function certify(data: readonly string[], given: CommandOptions<'certify'>): Promise<void> {
  const options = await claimFiles('certify', { data }, given);
  const total = options.seconds ?? 60;
  const signal = stopSignal(total);
  const reading = { ...options, scale: options.scale ?? 'none', signal } as const;
  try {
    await withInput(data, reading, (session) => certifyInput(session, data, reading, total));
  } catch (error) {
    const isLate = error instanceof HalfspaceError && error.code === 'interrupted' && !interruptSignal().aborted;
    if (!isLate) throw error;
    const unread = { data, limit: total, seconds: process.uptime() };
    await printResult(options.json, {
      json: () => unreadJson(unread),
      text: () => unreadText(unread),
      notes: [],
    });
  }
}

type ReadingOptions = CommandOptions<'certify'> & Pick<DataOptions, 'scale'> & { readonly signal: AbortSignal };

async function certifyInput(
  session: Session,
  data: readonly string[],
  options: ReadingOptions,
  total: number,
): Promise<void> {
  const { input, progress } = session;
  const path = options.certificate!;
  const signal = interruptSignal();
  // Opened before the work, to fail early if the place cannot be written to.
  const file = openWhole(path);
  const rowsFile = options.canonical === undefined ? null : openWhole(options.canonical);
  const viprFile = options.vipr === undefined ? null : openWhole(options.vipr);
  try {
    const reading = readAll(session, data, options);
    const { examples, classes, features, predict, meaning } = await unlessStopped(reading, options.signal);
    rowsFile?.append(canonicalRows(examples));
    rowsFile?.finish();
    const { pairs: products } = options;
    const began = performance.now();
    const seconds = total - process.uptime();
    const certificate = await certifyExamples(examples, {
      classes,
      features,
      products,
      errors: options.errors,
      predict,
      seconds,
      signal,
      onProgress: ({ text }) => progress.stage((performance.now() - began) / 1000 / seconds, text),
    });
    progress.stop();
    // Of the time, `certify` keeps up to a quarter for the last proof.
    const early = performance.now() - began < 750 * seconds;
    const kept = await provesMore(path, certificate, signal.aborted);
    if (kept)
      input.notes.push(
        signal.aborted
          ? `the search was stopped: the certificate in ${path} stays`
          : `the certificate in ${path} proves more about these data, and stays`,
      );
    else {
      file.append(await certificateFileText(certificate, path));
      file.finish();
    }
    const untold =
      certificate.verdict === 'unknown' ? 'the verdict unknown' : certificate.interior === null ? null : 'this proof';
    if (viprFile !== null && untold !== null)
      input.notes.push(`nothing is written to ${options.vipr}: a VIPR certificate cannot tell ${untold}`);
    else if (viprFile !== null) {
      for (const piece of viprPieces(certificate, canonicalRows(examples))) viprFile.append(piece);
      viprFile.finish();
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
      early,
      meaning,
      seconds: process.uptime(),
    };
    await printResult(options.json, {
      json: () => certificateJson(found),
      text: () => certificateText(found),
      notes: input.notes,
    });
  } finally {
    file.discard();
    rowsFile?.discard();
    viprFile?.discard();
  }
}

/** Reads the data, and the rows to predict. */
async function readAll({ input, progress }: Session, data: readonly string[], options: ReadingOptions) {
  const { signal, pairs: products, predict: asked, ...reading } = options;
  const { examples: flat, classes } = await gather(input.source, {
    ...{ positive: options.positive, signal, onRows: progress.rows },
  });
  input.finish();
  const features = input.source.encoding();
  const read = products === undefined ? flat : withProducts(flat, features, products);
  let meaning: Meaning =
    options.numbers === 'doubles' || products !== undefined
      ? { because: products === undefined ? '--numbers doubles' : 'products are computed in floating point' }
      : await meaningOf(data, input, features, read.dimension, options);
  let predict: SparseBatch | undefined;
  if (asked !== undefined)
    await withInput(
      [asked],
      { ...reading, signal, encodedFor: { features }, labelsNeeded: false },
      async ({ input: rows }) => {
        const { examples: own } = await gather(rows.source, { labelled: false, signal });
        rows.finish();
        input.notes.push(...rows.notes);
        predict = products === undefined ? own : withProducts(own, features, products);
        if ('decimal' in meaning) {
          const also = await meaningOf([asked], rows, features, read.dimension, options);
          if (also.decimal === undefined) meaning = also;
        }
      },
    );
  const examples = 'decimal' in meaning ? { ...read, decimal: meaning.decimal } : read;
  return { examples, classes, features, predict, meaning };
}

/** Maximum size of a file that is read again for a few lines. */
const mostBytes = 256 * 1024 * 1024;

/**
 * Returns a function that returns the text of a row, by number from 1. Returns null unless each row is one line: the
 * data must be one uncompressed file with as many lines as rows.
 */
function rawRows(
  data: readonly string[],
  format: Format | 'sql',
  features: FeatureEncoding,
  rows: number,
): ((row: number) => string) | null {
  const [path] = data;
  if (data.length !== 1 || path === undefined || path === '-' || /\.(gz|zst|zip)$/i.test(path)) return null;
  if (!['csv', 'tsv', 'ndjson', 'libsvm', 'vw'].includes(format)) return null;
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined || !status.isFile() || status.size > mostBytes) return null;
  const isComment = format === 'libsvm' ? /^\s*(#|$)/ : /^\s*$/;
  const lines = readFileSync(path, 'utf8')
    .split(/\r?\n/)
    .filter((line) => !isComment.test(line));
  const first = features.kind === 'table' && features.header === true ? 1 : 0;
  return lines.length - first === rows ? (row) => lines[row - 1 + first]! : null;
}
