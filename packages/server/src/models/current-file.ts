import { basename, join } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { crc32c } from '../journal/crc32c.ts';
import { readWhole, writeWhole } from '../journal/files.ts';
import { ofAnotherModel } from '../state/model-state.ts';
import { isGeneration } from './generations.ts';
import { damaged } from './replay.ts';

/** Content of the file `current` of a model, which names the generation in service. */
export interface Current {
  /** Name of the folder of the generation. */
  readonly generation: string;
  readonly kind: 'frozen' | 'learning';
  /** Largest number of rows that are kept for their labels. */
  readonly predictions: number;
  /** `unborn`: never in service, so it may be removed. `retired`: it moves to the folder of retired ones. */
  readonly state: 'unborn' | 'serving' | 'retired';
}

const format = 'halfspace-current';
const version = 2;
const fileName = 'current';

/** Writes the file: the moment at which a generation comes into service, or is retired. */
export function writeCurrent(
  disk: Disk,
  folder: string,
  { generation, kind, predictions, state }: Current,
): Promise<void> {
  const line = JSON.stringify({ format, version, name: basename(folder), generation, kind, predictions, state });
  return writeWhole(disk, folder, fileName, Buffer.from(`${line}\n${crcOf(line)}\n`));
}

/** Reads the file; null if there is none. @throws HalfspaceError `source-corrupt`. */
export async function readCurrent(disk: Disk, folder: string): Promise<Current | null> {
  const bytes = await readWhole(disk, join(folder, fileName));
  if (bytes === null) return null;
  const [line, crc] = Buffer.from(bytes).toString().split('\n');
  const source = join(folder, fileName);
  if (crc !== crcOf(line!)) throw damaged('expected the file as it was written; got one with another CRC', source);
  const given = JSON.parse(line!) as Current & { format: unknown; version: unknown; name: unknown };
  if (given?.format !== format || given.version !== version)
    throw damaged(`expected a file of version ${version}; got one of version ${given?.version}`, source);
  if (given.name !== basename(folder)) throw ofAnotherModel(basename(folder), String(given.name)).at({ source });
  const { generation, kind, predictions, state } = given;
  if (
    !isGeneration(generation) ||
    !['frozen', 'learning'].includes(kind) ||
    !(Number.isSafeInteger(predictions) && predictions >= 0) ||
    !['unborn', 'serving', 'retired'].includes(state)
  )
    throw damaged('expected the members that the service writes; got others', source);
  return { generation, kind, predictions, state };
}

function crcOf(line: string): string {
  return crc32c(Buffer.from(line)).toString(16).padStart(8, '0');
}
