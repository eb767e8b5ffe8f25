import { HalfspaceError } from '../errors.ts';
import type { LedgerClosing, LedgerOpening, LedgerSink } from '../train/ledger-sink.ts';
import { ContentDigest, withContent } from './content-digest.ts';
import { blockHead, blockKind, blockUpdates, ledgerMagic } from './format.ts';
import { gzip } from './gzip.ts';
import { toShortFloat } from './short-float.ts';
import { encodeUpdates } from './update-block.ts';
import { Updates } from './updates.ts';

/** Destination of a ledger: a file, an array, an upload. */
export interface LedgerTarget {
  /** Receives the next bytes and owns them. */
  append(bytes: Uint8Array): void | Promise<void>;
}

interface Pending {
  readonly kind: number;
  readonly bytes: Uint8Array | null;
}

/** Writes the ledger of one run (`RunOptions.ledger`) block by block, with less than a megabyte in memory. */
export class LedgerWriter implements LedgerSink {
  readonly #target: LedgerTarget;
  readonly #pending: Pending[] = [];
  readonly #updates = new Updates();
  readonly #content = new ContentDigest();
  #begun = false;
  #written = 0;
  #ofUpdates = 0;

  constructor(target: LedgerTarget) {
    this.#target = target;
  }

  /** Number of bytes written so far. */
  get bytes(): number {
    return this.#written;
  }

  /** Number of these bytes that hold updates and ends of passes; the rest describes the run and its features. */
  get updateBytes(): number {
    return this.#ofUpdates;
  }

  /** @throws HalfspaceError `option-invalid` for a second run. */
  begin(opening: LedgerOpening): void {
    if (this.#begun)
      throw new HalfspaceError(
        'option-invalid',
        'expected a new ledger for every run; got one that already holds a run',
      );
    this.#begun = true;
    this.#push(blockKind.opening, jsonOf(opening));
  }

  update(position: number, row: number, raised: number, lowered: number, lead: number): void {
    this.#updates.push(position, row, raised, lowered, toShortFloat(lead));
    if (this.#updates.count === blockUpdates) this.#seal();
  }

  endPass(shown: number): void {
    const { passes, count } = this.#updates;
    passes.push({ updates: count, shown });
    if (passes.length === blockUpdates) this.#seal();
  }

  restart(): void {
    this.#seal();
    this.#push(blockKind.restart, null);
  }

  end(closing: LedgerClosing): void {
    this.#seal();
    const json = JSON.stringify(closing);
    this.#content.add(blockKind.closing, encoded(json));
    this.#pending.push({ kind: blockKind.closing, bytes: encoded(withContent(json, this.#content.text)) });
  }

  /** Writes the complete blocks. Throws what the target throws. */
  async flush(): Promise<void> {
    while (this.#pending.length > 0) {
      const { kind, bytes } = this.#pending.shift()!;
      if (kind === blockKind.opening) await this.#append(encoded(ledgerMagic));
      const packed = bytes === null ? new Uint8Array(0) : gzip(bytes);
      const block = new Uint8Array(blockHead + packed.length);
      block[0] = kind;
      new DataView(block.buffer).setUint32(1, packed.length, true);
      block.set(packed, blockHead);
      if (kind === blockKind.updates) this.#ofUpdates += block.length;
      await this.#append(block);
    }
  }

  async #append(bytes: Uint8Array): Promise<void> {
    this.#written += bytes.length;
    await this.#target.append(bytes);
  }

  #seal(): void {
    const { count, passes } = this.#updates;
    if (count === 0 && passes.length === 0) return;
    this.#push(blockKind.updates, encodeUpdates(this.#updates));
    this.#updates.clear();
  }

  #push(kind: number, bytes: Uint8Array | null): void {
    this.#content.add(kind, bytes ?? new Uint8Array(0));
    this.#pending.push({ kind, bytes });
  }
}

function jsonOf(value: object): Uint8Array {
  return encoded(JSON.stringify(value));
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
