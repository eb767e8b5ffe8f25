import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { TextInput } from '../../src/data/input/input.ts';
import { frameOf } from '../support/archives.ts';

/** A way to pass a text to a source. */
interface InputKind {
  /** True if the text can be read only once. */
  readonly once?: boolean;
  readonly make: (text: string, ending: string) => TextInput;
}

/** A folder of files, and a server of texts. */
export class Places {
  readonly folder = mkdtempSync(join(tmpdir(), 'halfspace-sources-'));
  readonly #texts = new Map<string, string>();
  readonly #server: Server = createServer((request, response) => {
    const text = this.#texts.get(request.url!);
    response.writeHead(text === undefined ? 404 : 200).end(text);
  });
  #count = 0;

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  close(): void {
    this.#server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Writes a file and returns its path. */
  file(content: string | Uint8Array, ending = 'txt'): string {
    const path = join(this.folder, `${this.#count++}.${ending}`);
    writeFileSync(path, content);
    return path;
  }

  /** Returns the URL of a text; undefined: of none. */
  url(text: string | undefined, ending = 'txt'): URL {
    const path = `/${this.#count++}.${ending}`;
    if (text !== undefined) this.#texts.set(path, text);
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`);
  }
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

export async function* inTurn<T>(all: Iterable<T>): AsyncGenerator<T> {
  yield* all;
}

/** A text one byte at a time, always in the same buffer, as some readers do. */
async function* everyByte(text: string): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(1);
  for (const byte of bytesOf(text)) {
    piece[0] = byte;
    yield piece;
  }
}

/** All kinds of input, by name. */
export const inputKinds = (places: Places): Readonly<Record<string, InputKind>> => ({
  'a string': { make: (text) => text },
  'a path': { make: (text, ending) => places.file(text, ending) },
  'a path of gzip': { make: (text, ending) => places.file(gzipSync(text), `${ending}.gz`) },
  'a path of zstd': { make: (text, ending) => places.file(frameOf(bytesOf(text)), `${ending}.zst`) },
  'a URL of a file': { make: (text, ending) => pathToFileURL(places.file(text, ending)) },
  'a URL': { make: (text, ending) => places.url(text, ending) },
  'a data URL': { make: (text) => new URL(`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`) },
  'a Blob': { make: (text) => new Blob([text]) },
  'a File': { make: (text, ending) => new File([text], `data.${ending}`) },
  'a Blob of gzip': { make: (text) => new Blob([gzipSync(text)]) },
  bytes: { make: (text) => bytesOf(text) },
  'bytes in a larger buffer': { make: (text) => bytesOf(`,,${text},`).subarray(2, -1) },
  'bytes of gzip': { make: (text) => gzipSync(text) },
  'bytes of zstd': { make: (text) => frameOf(bytesOf(text)) },
  'an ArrayBuffer': { make: (text) => bytesOf(text).buffer },
  'a DataView': { make: (text) => new DataView(bytesOf(text).buffer) },
  'a list of characters': { make: (text) => Array.from({ length: text.length }, (_, k) => text[k]!) },
  'a ReadableStream of bytes': { once: true, make: (text) => new Blob([text]).stream() },
  'a ReadableStream of text': {
    once: true,
    make: (text) => Readable.toWeb(Readable.from([...text])) as ReadableStream,
  },
  'a stream of Node': { once: true, make: (text) => Readable.from([...bytesOf(text)].map((byte) => Buffer.of(byte))) },
  'an async generator of every byte': { once: true, make: everyByte },
  'an async generator of text, cut in surrogate pairs': {
    once: true,
    make: (text) => inTurn(Array.from({ length: text.length }, (_, k) => text[k]!)),
  },
  'a generator of gzip': {
    once: true,
    make: (text) => inTurn(Array.from(gzipSync(text), (byte) => Uint8Array.of(byte))),
  },
});
