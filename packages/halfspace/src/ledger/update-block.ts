import { noClass } from '../rules/update-log.ts';
import { ByteList, ByteReader, misfit } from './bytes.ts';
import { blockUpdates } from './format.ts';
import { Updates } from './updates.ts';

/**
 * Encodes updates as bytes, column by column: count, places, rows, classes, leads.
 *
 *   places   1 + distance to the previous update in the pass, or to its start; at the end of a pass 0 and the number of
 *            examples shown after the last update
 *   rows     in the order of the data: 0 and zigzag differences to the expected rows; shuffled: 1 and the rows
 *   classes  two classes: 0 and a bit, 1 if the positive class was raised; one versus rest: 1 and twice the class, plus
 *            1 if it was raised; else 2, 1 + the raised class and 1 + the lowered class
 */
export function encodeUpdates(updates: Updates): Uint8Array {
  const out = new ByteList();
  const { count } = updates;
  out.varint(count);
  writePlaces(out, updates);
  writeRows(out, updates);
  writeClasses(out, updates);
  out.planes(updates.leads, count);
  return out.take();
}

/** Decodes the bytes of {@link encodeUpdates}. @throws HalfspaceError `ledger-invalid`. */
export function decodeUpdates(bytes: Uint8Array): Updates {
  const input = new ByteReader(bytes);
  const count = input.varint();
  if (count > blockUpdates) throw misfit(`at most ${blockUpdates} updates in a block`, count);
  const updates = new Updates();
  for (let at = 0; at < count; at++) updates.push(0, 0, 0, 0, 0);
  readPlaces(input, updates);
  readRows(input, updates);
  readClasses(input, updates);
  const leads = input.planes(count);
  updates.leads.set(leads);
  if (leads.some((lead) => lead > 0xffff)) throw misfit('leads of two bytes', 'longer ones');
  if (!input.ended) throw misfit('the end of a block', 'more bytes');
  return updates;
}

function writePlaces(out: ByteList, { count, positions, passes }: Updates): void {
  out.varint(passes.length);
  let next = 0;
  let before = 0;
  const end = (shown: number) => {
    out.varint(0);
    out.varint(shown - before);
    before = 0;
    next++;
  };
  for (let at = 0; at < count; at++) {
    while (passes[next]?.updates === at) end(passes[next]!.shown);
    out.varint(positions[at]! - before + 1);
    before = positions[at]!;
  }
  while (next < passes.length) end(passes[next]!.shown);
}

function readPlaces(input: ByteReader, { count, positions, passes }: Updates): void {
  const ends = input.varint();
  let before = 0;
  for (let at = 0; at < count || passes.length < ends; ) {
    const code = input.varint();
    if (code === 0) {
      if (passes.length === ends) throw misfit(`${ends} ends of passes`, 'one more');
      passes.push({ updates: at, shown: before + input.varint() });
      before = 0;
    } else {
      if (at === count) throw misfit(`${count} updates`, 'one more');
      before += code - 1;
      positions[at++] = before;
    }
  }
}

/** Calls `rowOf` for each update with the row expected in the order of the data, given the previous row. */
function expectedRows({ count, positions, passes }: Updates, rowOf: (at: number, expected: number) => number): void {
  let next = 0;
  let [position, row] = [0, 0];
  for (let at = 0; at < count; at++) {
    for (; passes[next]?.updates === at; next++) [position, row] = [0, 0];
    row = rowOf(at, (row + positions[at]! - position) >>> 0);
    position = positions[at]!;
  }
}

function writeRows(out: ByteList, updates: Updates): void {
  const { count, rows } = updates;
  const distances = new Uint32Array(count);
  let all = 0;
  expectedRows(updates, (at, expected) => {
    const distance = (rows[at]! - expected) | 0;
    distances[at] = (distance << 1) ^ (distance >> 31);
    all |= distances[at]!;
    return rows[at]!;
  });
  let own = 0;
  for (let at = 0; at < count; at++) own |= rows[at]!;
  const plain = Math.clz32(own) > Math.clz32(all);
  out.byte(plain ? 1 : 0);
  out.planes(plain ? rows : distances, count);
}

function readRows(input: ByteReader, updates: Updates): void {
  const form = input.byte();
  if (form > 1) throw misfit('rows in form 0 or 1', form);
  const read = input.planes(updates.count);
  if (form === 1) updates.rows.set(read);
  else
    expectedRows(updates, (at, expected) => {
      const row = (expected + ((read[at]! >>> 1) ^ -(read[at]! & 1))) >>> 0;
      updates.rows[at] = row;
      return row;
    });
}

function writeClasses(out: ByteList, { count, raised, lowered }: Updates): void {
  let [two, rest] = [true, true];
  for (let at = 0; at < count; at++) {
    two &&= raised[at]! >= 0 && raised[at]! + lowered[at]! === 1 && lowered[at]! >= 0;
    rest &&= (raised[at] === noClass) !== (lowered[at] === noClass);
  }
  out.byte(two ? 0 : rest ? 1 : 2);
  if (two) {
    for (let at = 0; at < count; at += 8) {
      let byte = 0;
      for (let bit = 0; bit < 8 && at + bit < count; bit++) byte |= raised[at + bit]! << bit;
      out.byte(byte);
    }
  } else if (rest) {
    const kinds = Uint32Array.from({ length: count }, (_, at) =>
      raised[at] === noClass ? 2 * lowered[at]! : 2 * raised[at]! + 1,
    );
    out.planes(kinds, count);
  } else
    for (const classes of [raised, lowered])
      out.planes(
        Uint16Array.from(classes.subarray(0, count), (k) => k + 1),
        count,
      );
}

function readClasses(input: ByteReader, { count, raised, lowered }: Updates): void {
  const form = input.byte();
  if (form > 2) throw misfit('classes in form 0, 1 or 2', form);
  if (form === 0) {
    for (let at = 0; at < count; at += 8) {
      const byte = input.byte();
      for (let bit = 0; bit < 8 && at + bit < count; bit++) {
        raised[at + bit] = (byte >> bit) & 1;
        lowered[at + bit] = 1 - raised[at + bit]!;
      }
    }
    return;
  }
  const first = input.planes(count);
  const second = form === 2 ? input.planes(count) : null;
  const most = 0x7fff;
  if (first.some((each) => each > 2 * most) || second?.some((each) => each > most))
    throw misfit('classes', 'too large numbers');
  for (let at = 0; at < count; at++) {
    if (second !== null) [raised[at], lowered[at]] = [first[at]! - 1, second[at]! - 1];
    else if ((first[at]! & 1) === 1) [raised[at], lowered[at]] = [first[at]! >> 1, noClass];
    else [raised[at], lowered[at]] = [noClass, first[at]! >> 1];
  }
}
