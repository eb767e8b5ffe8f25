import { sha256 } from '../model/sha256.ts';

/**
 * Digests the contents of a ledger, block by block: h ← SHA-256(h, kind of the block, contents of the block), from an
 * empty h. The checksums of gzip detect a damaged file, but not one that was decompressed, changed and compressed
 * again.
 */
export class ContentDigest {
  #hash = '';

  /** @param contents of the block, decompressed. */
  add(kind: number, contents: Uint8Array): void {
    const before = new TextEncoder().encode(this.#hash);
    const bytes = new Uint8Array(before.length + 1 + contents.length);
    bytes.set(before);
    bytes[before.length] = kind;
    bytes.set(contents, before.length + 1);
    this.#hash = sha256(bytes);
  }

  /** 64 hexadecimal digits. */
  get text(): string {
    return this.#hash;
  }
}

/** Returns the contents of the closing block: its JSON, a newline, and the digest. JSON of one line has no newline. */
export function withContent(json: string, digest: string): string {
  return `${json}\n${digest}`;
}

/** Splits the contents of a closing block. */
export function splitContent(text: string): { readonly json: string; readonly digest: string } {
  const at = text.lastIndexOf('\n');
  return { json: text.slice(0, Math.max(0, at)), digest: text.slice(at + 1) };
}
