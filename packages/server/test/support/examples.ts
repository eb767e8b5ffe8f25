import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeModel, type Row, rows, train } from 'halfspace';
import { afterAll, onTestFinished } from 'vitest';
import type { Disk } from '../../src/disk/disk.ts';
import { encodeGroup } from '../../src/journal/frame.ts';
import type { Example } from '../../src/models/contract.ts';
import type { ShadowChange } from '../../src/state/control-record.ts';
import { type Draft, recordOf } from '../../src/state/example-record.ts';
import type { ModelState } from '../../src/state/model-state.ts';
import { changeDraftOf, draftOf, givenId } from './drafts.ts';

/** The example that only the classifier refuses, if x is a number: no journal has it. It has no id. */
export const poison: Example = { row: { x: 'seven' }, label: 'yes' };

/** Returns the example with an id, which is a number. */
export function exampleOf(id: string): Example {
  const k = Number(id);
  return {
    id,
    // Some without y, so that rows have different names.
    row: {
      x: ((k * 37) % 101) - 50,
      ...(k % 4 === 1 ? {} : { y: ((k * 53) % 97) / 7 }),
      colour: ['red', 'green', 'blue'][k % 3]!,
    },
    label: (k * 37) % 101 > 50 ? 'yes' : 'no',
    importance: 1 + (k % 2),
  };
}

/**
 * Applies records in an order, without any service. Every record has an id; ids of two words are those of changes of
 * the shadow.
 *
 * @param begin is changed and returned.
 */
export function uninterrupted(
  begin: ModelState,
  ids: readonly (readonly [id: string, sequence: number])[],
  sequence: number,
): ModelState {
  const order = new Map(ids.map(([id, at]) => [at, givenId(id)]));
  for (let at = 1; at <= sequence; at++) {
    const record = recordOf(draftFor(order.get(at)!, begin.classifier.label), begin.names.copy());
    begin.apply(encodeGroup([record], at, 0, 0).payloads[0]!);
  }
  return begin;
}

/** Returns the change that an id names. A shadow refuses what its model refuses, and has the same label. */
export function shadowChangeOf(id: string, label: string): ShadowChange {
  if (id.startsWith('promote')) return { kind: 'promote' };
  const rule = Number(id.split(' ')[1]) % 2 === 0 ? 'arow' : 'perceptron';
  return { kind: 'start', options: { rule, label, columns: { x: 'number' }, window: 20 } };
}

function draftFor(id: string, label: string): Draft {
  return id.includes(' ') ? changeDraftOf(id, shadowChangeOf(id, label)) : draftOf(id, exampleOf(id));
}

/** Makes a folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'halfspace-server-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes a folder that is removed after all tests of a file. */
export function folderOfSuite(): string {
  const folder = mkdtempSync(join(tmpdir(), 'halfspace-server-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns a disk of files that do not change, by their paths. */
export function memoryFiles(files: ReadonlyMap<string, Uint8Array>): Disk {
  const refuse = () => Promise.reject(new Error('expected to read only'));
  return {
    list: async (path) =>
      [...files.keys()].filter((each) => each.startsWith(`${path}/`)).map((each) => each.slice(path.length + 1)),
    size: async (path) => files.get(path)?.length ?? null,
    read: async (path, offset, length) => files.get(path)!.slice(offset, offset + length),
    makeFolder: refuse,
    create: refuse,
    openToAppend: refuse,
    rename: refuse,
    remove: refuse,
    syncFolder: refuse,
    lock: refuse,
  };
}

/** A table with all that HTTP must carry: numbers, names, missing cells, words that JSON escapes. */
export const flowers: readonly Row[] = Array.from({ length: 60 }, (_, i) => ({
  size: i % 7 === 3 ? null : 1 + ((i * 37) % 50) / 10 + (i % 2),
  colour: ['red', 'blue "sky"', 'grün'][(i * 5) % 3]!,
  kind: i % 2 === 0 ? 'lily' : 'rose',
}));

/** Returns a flower without its class. */
export const unlabelled = ({ kind: _, ...row }: Row): Row => row;

/** Returns the text of a model file that tells lilies from roses, with probabilities. */
export async function flowerModel(): Promise<string> {
  const { model } = await train(rows(flowers, { label: 'kind' }), { rule: 'averaged', passes: 5, calibrate: 'platt' });
  return encodeModel(model);
}
