import { crc32, deflateRawSync } from 'node:zlib';

/** A file in an archive. */
export interface ZippedFile {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Default true. */
  readonly isDeflated?: boolean;
  /** Flags of its headers. Default 0. */
  readonly flags?: number;
}

/** Writes a ZIP archive. @param wide true to write sizes and positions as ZIP64 does. */
export function zipOf(files: readonly ZippedFile[], { wide = false, comment = '' } = {}): Uint8Array {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const { name, content, isDeflated = true, flags = 0 } of files) {
    const bytes = Buffer.from(content);
    const packed = isDeflated ? deflateRawSync(bytes) : bytes;
    const facts = [20, flags, isDeflated ? 8 : 0, 0, 0].flatMap((value) => [value & 255, value >> 8]);
    const size = (value: number) => (wide ? 0xffff_ffff : value);
    const numbers = Buffer.alloc(12);
    numbers.writeUInt32LE(crc32(bytes), 0);
    numbers.writeUInt32LE(size(packed.length), 4);
    numbers.writeUInt32LE(size(bytes.length), 8);
    const extra = Buffer.alloc(wide ? 28 : 0);
    if (wide) {
      extra.writeUInt16LE(1, 0);
      extra.writeUInt16LE(24, 2);
      for (const [k, value] of [bytes.length, packed.length, at].entries())
        extra.writeBigUInt64LE(BigInt(value), 4 + 8 * k);
    }
    const lengths = Buffer.from([Buffer.byteLength(name), 0, extra.length, 0]);
    const local = [Buffer.from('PK\x03\x04'), Buffer.from(facts), numbers, lengths, Buffer.from(name), extra, packed];
    const place = Buffer.alloc(14);
    place.writeUInt32LE(size(at), 10);
    const entry = [
      Buffer.from('PK\x01\x02\x14\x00'),
      Buffer.from(facts),
      numbers,
      lengths,
      place,
      Buffer.from(name),
      extra,
    ];
    locals.push(Buffer.concat(local));
    entries.push(Buffer.concat(entry));
    at += locals.at(-1)!.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(wide ? 0xffff_ffff : directory.length, 12);
  end.writeUInt32LE(wide ? 0xffff_ffff : at, 16);
  end.writeUInt16LE(comment.length, 20);
  const wideEnd = Buffer.alloc(wide ? 76 : 0);
  if (wide) {
    wideEnd.write('PK\x06\x06', 'latin1');
    wideEnd.writeBigUInt64LE(BigInt(directory.length), 40);
    wideEnd.writeBigUInt64LE(BigInt(at), 48);
    wideEnd.write('PK\x06\x07', 56, 'latin1');
    wideEnd.writeBigUInt64LE(BigInt(at + directory.length), 64);
  }
  return Buffer.concat([...locals, directory, wideEnd, end, Buffer.from(comment)]);
}
