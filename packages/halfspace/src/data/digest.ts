import type { StoredBatch } from '../batch.ts';
import { BatchView, forEachNonzero } from '../kernels/batch-view.ts';
import type { ExampleSource } from './source.ts';
import { wrappedSource } from './wrapped-source.ts';

/**
 * Computes a 64-bit digest of examples: of each label, importance and nonzero value with its feature, in order. Batch
 * sizes and layouts do not change it. It detects accidental differences only; it is no signature.
 *
 * Two 32-bit hashes with the steps of MurmurHash3 (Appleby 2011), from different seeds, over 32-bit words.
 */
export class DataDigest {
  #a = 0x9747b28c;
  #b = 0x3c074a61;
  /** Number of examples added. */
  rows = 0;
  readonly #double = new Float64Array(1);
  readonly #words = new Uint32Array(this.#double.buffer);

  add(batch: StoredBatch): void {
    const { rows, labels, importance } = batch;
    const view = new BatchView(batch);
    const take = (feature: number, value: number) => {
      this.#word(feature);
      this.#number(value);
    };
    for (let i = 0; i < rows; i++) {
      this.#number(labels[i]!);
      this.#number(importance === null ? 1 : importance[i]!);
      forEachNonzero(view, i, take);
      this.#word(0xffff_ffff);
    }
    this.rows += rows;
  }

  /** The digest as 16 hexadecimal digits. */
  get text(): string {
    return [this.#a, this.#b].map((hash) => finished(hash ^ this.rows).padStart(8, '0')).join('');
  }

  #number(value: number): void {
    this.#double[0] = value;
    const [low, high] = this.#words;
    this.#word(low!);
    this.#word(high!);
  }

  #word(word: number): void {
    let k = Math.imul(word, 0xcc9e2d51);
    k = Math.imul((k << 15) | (k >>> 17), 0x1b873593);
    this.#a ^= k;
    this.#a = (Math.imul((this.#a << 13) | (this.#a >>> 19), 5) + 0xe6546b64) | 0;
    this.#b = (Math.imul((this.#b << 11) | (this.#b >>> 21), 9) + k) | 0;
  }
}

function finished(hash: number): string {
  let h = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0).toString(16);
}

/** A source that computes a digest of its examples while they are read. */
interface DigestedSource extends ExampleSource {
  /** The digest of the last reading. */
  readonly digest: DataDigest;
}

export function digested(source: ExampleSource): DigestedSource {
  let digest = new DataDigest();
  return wrappedSource(source, {
    get digest() {
      return digest;
    },
    async *batches() {
      digest = new DataDigest();
      for await (const batch of source.batches()) {
        // First, because the reader may overwrite the labels.
        digest.add(batch);
        yield batch;
      }
    },
  });
}
