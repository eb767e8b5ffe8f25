import type { ByteSource } from '../data/source.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { parseEncoding } from '../features/parse-encoding.ts';
import { check, checkRising, isObject, list, type Members, members, readAs, text, texts, whole } from '../json.ts';
import { checkRecordable } from '../train/ledger-recorder.ts';
import type { LedgerClosing, LedgerOpening } from '../train/ledger-sink.ts';
import { planTraining } from '../train/options.ts';
import { misfit } from './bytes.ts';
import { ContentDigest, splitContent } from './content-digest.ts';
import { blockHead, blockKind, largestBlock, ledgerMagic, ledgerName } from './format.ts';
import { gunzip } from './gzip.ts';
import { type Ledger, trainOptionsOf } from './ledger.ts';
import { decodeUpdates } from './update-block.ts';
import { Updates } from './updates.ts';

export interface ReadLedgerOptions {
  /**
   * True accepts a truncated or damaged file: returns the whole blocks before the damage, and the error as `fault`.
   * Default false: throws the error.
   */
  readonly partial?: boolean | undefined;
}

/**
 * Reads an untrusted ledger. Runs no code from it, and refuses anything invalid. Takes 14 bytes of memory per update.
 *
 * @throws HalfspaceError `ledger-invalid`, with the byte position of the faulty block; and any error of the source.
 */
export async function readLedger(source: ByteSource, { partial = false }: ReadLedgerOptions = {}): Promise<Ledger> {
  const updates = new Updates();
  const read = await readBlocks(source, { partial, updates });
  return { ...read, updates };
}

/**
 * Checks a ledger as {@link readLedger} does, block by block, without keeping it.
 *
 * @returns the number of updates.
 * @throws HalfspaceError `ledger-invalid`; and any error of the source.
 */
export async function checkLedger(source: ByteSource): Promise<number> {
  const { closing } = await readBlocks(source, { partial: false, updates: null });
  return closing!.updates;
}

/** @param updates receives the updates; null only checks them. */
async function readBlocks(
  source: ByteSource,
  { partial, updates }: { readonly partial: boolean; readonly updates: Updates | null },
): Promise<Omit<Ledger, 'updates'>> {
  const bytes = new PlacedBytes(source);
  let extent = new Extent();
  const content = new ContentDigest();
  const read: { opening: LedgerOpening | null; closing: LedgerClosing | null } = { opening: null, closing: null };
  let restarted = false;
  let fault: HalfspaceError | null = null;
  let place = 0;
  try {
    await readMagic(bytes);
    for (;;) {
      place = bytes.at;
      const block = await readBlock(bytes);
      if (block === null) break;
      const { kind, contents } = block;
      if ((kind === blockKind.opening) !== (read.opening === null) || read.closing !== null)
        throw misfit(read.closing === null ? 'one beginning' : 'the end of the ledger', 'another block');
      const plain = kind === blockKind.restart ? contents : await gunzip(contents);
      if (kind !== blockKind.closing) content.add(kind, plain);
      if (kind === blockKind.opening) read.opening = parseOpening(plain);
      else if (kind === blockKind.updates) {
        const block = decodeUpdates(plain);
        extent.add(block);
        updates?.append(block);
      } else if (kind === blockKind.closing) {
        const closing = parseClosing(checkContent(plain, content));
        checkClosing(read.opening!, closing, extent);
        read.closing = closing;
      } else {
        if (contents.length > 0) throw misfit('nothing in a block that marks a new start', `${contents.length} bytes`);
        restarted = true;
        updates?.clear();
        extent = new Extent();
      }
    }
    if (read.closing === null) throw cut();
  } catch (error) {
    if (!(error instanceof HalfspaceError) || error.code !== 'ledger-invalid') throw error;
    fault = new HalfspaceError(error.code, error.message, { source: source.name, byte: place });
    if (!partial || read.opening === null) throw fault;
  } finally {
    source.close?.();
  }
  return { opening: read.opening!, closing: read.closing, restarted, fault };
}

async function readMagic(bytes: PlacedBytes): Promise<void> {
  const magic = new TextEncoder().encode(ledgerMagic);
  const head = await bytes.next(magic.length);
  const text = String.fromCharCode(...head);
  if (text === ledgerMagic) return;
  if (head.length > 0 && ledgerMagic.startsWith(text)) throw cut();
  throw misfit(
    text.startsWith(ledgerName) ? 'a ledger of version 1' : 'a ledger',
    text.startsWith(ledgerName)
      ? `${quote(text.slice(ledgerName.length).trim())}: use the halfspace that wrote it`
      : 'another file',
  );
}

/** Returns the next block, or null at the end. */
async function readBlock(bytes: PlacedBytes): Promise<{ kind: number; contents: Uint8Array } | null> {
  const head = await bytes.next(blockHead);
  if (head.length === 0) return null;
  if (head.length < blockHead) throw cut();
  const kind = head[0]!;
  if (!(Object.values(blockKind) as number[]).includes(kind))
    throw misfit('the beginning of a block', `the byte ${kind}`);
  const length = new DataView(head.buffer).getUint32(1, true);
  if (length > largestBlock) throw misfit(`a block of at most ${largestBlock} bytes`, length);
  const contents = await bytes.next(length);
  if (contents.length < length) throw cut();
  return { kind, contents };
}

/** Accumulates extremes and counts of the updates, to compare with the closing of the ledger. */
class Extent {
  updates = 0;
  largestRow = -1;
  largestClass = -1;
  /** A class that one update both raised and lowered, or null. */
  both: number | null = null;
  readonly updatesPerPass: number[] = [];
  #beforePass = 0;

  add({ count, passes, rows, raised, lowered }: Updates): void {
    for (let u = 0; u < count; u++) {
      this.largestRow = Math.max(this.largestRow, rows[u]!);
      this.largestClass = Math.max(this.largestClass, raised[u]!, lowered[u]!);
      if (raised[u] === lowered[u]) this.both = raised[u]!;
    }
    for (const { updates } of passes) {
      this.updatesPerPass.push(this.updates + updates - this.#beforePass);
      this.#beforePass = this.updates + updates;
    }
    this.updates += count;
  }
}

/** Returns the closing block without its digest, after comparing this with the contents that were read. */
function checkContent(closing: Uint8Array, content: ContentDigest): Uint8Array {
  const { json, digest } = splitContent(new TextDecoder().decode(closing));
  const bytes = new TextEncoder().encode(json);
  content.add(blockKind.closing, bytes);
  if (content.text !== digest) throw misfit('the contents that were written', 'others: their digest differs');
  return bytes;
}

function checkClosing({ holdout }: LedgerOpening, closing: LedgerClosing, extent: Extent): void {
  const { length } = closing.classes;
  const { updates, largestRow, largestClass, both, updatesPerPass } = extent;
  if ((holdout === 0) !== (closing.heldOut === undefined))
    throw misfit('the numbers of the held-out rows, if there are any', closing.heldOut === undefined ? 'none' : 'some');
  if (largestRow >= closing.rows) throw misfit(`rows below ${closing.rows}`, largestRow);
  if (largestClass >= length) throw misfit(`positions of ${length} classes`, largestClass);
  if (both !== null) throw misfit('two classes in every update', `${both} and ${both}`);
  if (closing.updates !== updates) throw misfit(`${closing.updates} updates`, updates);
  if (updatesPerPass.join() !== closing.updatesPerPass.join())
    throw misfit(`passes of ${closing.updatesPerPass.join(', ')} updates`, updatesPerPass.join(', '));
}

function cut(): HalfspaceError {
  return misfit('a whole ledger', 'one that is cut short');
}

/** Reads bytes of a source and counts them. */
class PlacedBytes {
  readonly #source: ByteSource;
  at = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** Returns the next `length` bytes, or the rest. Memory grows with the bytes read, not with a damaged length. */
  async next(length: number): Promise<Uint8Array> {
    let bytes = new Uint8Array(Math.min(length, 1 << 16));
    let filled = 0;
    while (filled < length) {
      if (filled === bytes.length) {
        const longer = new Uint8Array(Math.min(length, 2 * filled));
        longer.set(bytes);
        bytes = longer;
      }
      const count = await this.#source.read(bytes.subarray(filled));
      if (count === 0) break;
      filled += count;
    }
    this.at += filled;
    return bytes.slice(0, filled);
  }
}

/** Reads the opening of an untrusted ledger. @throws HalfspaceError `ledger-invalid`. */
function parseOpening(bytes: Uint8Array): LedgerOpening {
  return readAs({ code: 'ledger-invalid' }, () => {
    const fields = parseFields(bytes);
    members(fields.variant, 'variant');
    members(fields.ruleOptions, 'ruleOptions');
    check(typeof fields.holdout === 'number', 'holdout', 'a number', fields.holdout);
    const positive = fields.positive === null ? null : text(fields.positive, 'positive');
    const opening = fields as unknown as LedgerOpening;
    const { marginGap: _, ...plan } = planTraining(trainOptionsOf({ opening }));
    checkRecordable(plan.variant.rule);
    return { ...plan, positive };
  });
}

/** Reads the closing of an untrusted ledger. @throws HalfspaceError `ledger-invalid`. */
export function parseClosing(bytes: Uint8Array): LedgerClosing {
  return readAs({ code: 'ledger-invalid' }, () => {
    const fields = parseFields(bytes);
    const rows = whole(fields.rows, 'rows');
    text(fields.digest, 'digest');
    if (fields.leftOut !== undefined)
      checkRising(wholeNumbers(fields.leftOut, 'leftOut', rows - 1), 'leftOut', (a, b) => a - b);
    if (fields.heldOut !== undefined)
      checkRising(wholeNumbers(fields.heldOut, 'heldOut', rows - 1), 'heldOut', (a, b) => a - b);
    const classes = texts(fields.classes, 'classes');
    check(classes.length >= 2, 'classes', 'two names or more', classes);
    const { length } = wholeNumbers(fields.classExamples, 'classExamples');
    check(length === classes.length, 'classExamples', 'a whole number for each class', length);
    whole(fields.updates, 'updates');
    wholeNumbers(fields.updatesPerPass, 'updatesPerPass');
    text(fields.stop, 'stop');
    check(typeof fields.progressive === 'object', 'progressive', 'an object or null', fields.progressive);
    return { ...(fields as unknown as LedgerClosing), features: parseEncoding(fields.features) };
  });
}

function wholeNumbers(value: unknown, path: string, most?: number): number[] {
  return list(value, path).map((each) => whole(each, path, 0, most));
}

function parseFields(bytes: Uint8Array): Members {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw misfit('JSON', 'other text');
  }
  if (!isObject(value)) throw misfit('an object', quote(value));
  return value;
}
