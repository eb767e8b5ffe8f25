import { encodeModel, HalfspaceError, rows, train } from 'halfspace';
import type { Random } from 'halfspace/internal';
import { checkModels, type Disk, openModels } from 'halfspace-server';
import { crc32c } from '../../../packages/server/src/journal/crc32c.ts';
import { mutateJson } from '../mutate-json.ts';
import { bytesOf, demand, type Json, same, type Target, textOf } from '../target.ts';

/** Files by their paths. One that is renamed stays the file that was opened. */
type Files = Map<string, { bytes: Uint8Array }>;

const dir = '/d';
const names = ['frozen', 'learning', 'other'];

/** Returns a disk in memory that never fails. */
function diskOf(files: Files): Disk {
  const isIn = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
  const move = (from: string, to: string | null) => {
    for (const [path, file] of [...files]) {
      if (!isIn(path, from)) continue;
      files.delete(path);
      if (to !== null) files.set(to + path.slice(from.length), file);
    }
  };
  const append = (file: { bytes: Uint8Array }) => ({
    append: async (bytes: Uint8Array) => {
      file.bytes = Buffer.concat([file.bytes, bytes]);
    },
    sync: async () => {},
    close: async () => {},
  });
  return {
    makeFolder: async () => {},
    async list(path) {
      const below = [...files.keys()].filter((each) => each.startsWith(`${path}/`));
      return [...new Set(below.map((each) => each.slice(path.length + 1).split('/')[0]!))];
    },
    size: async (path) => files.get(path)?.bytes.length ?? null,
    read: async (path, offset, length) => files.get(path)!.bytes.slice(offset, offset + length),
    async create(path) {
      const file = { bytes: new Uint8Array(0) };
      files.set(path, file);
      return append(file);
    },
    async openToAppend(path, size) {
      const file = files.get(path)!;
      file.bytes = file.bytes.slice(0, size);
      return append(file);
    },
    rename: async (from, to) => move(from, to),
    remove: async (path) => move(path, null),
    syncFolder: async () => {},
    lock: async () => ({ check() {}, unlock: async () => {} }),
  };
}

const textOfFiles = (files: Files) =>
  JSON.stringify([...files].map(([path, { bytes }]) => [path, Buffer.from(bytes).toString('latin1')]));

function filesOf(text: string): Files | null {
  try {
    const entries = (JSON.parse(text) as [string, string][]).filter(([path]) => path.startsWith(`${dir}/`));
    return new Map(entries.map(([path, content]) => [path, { bytes: Buffer.from(content, 'latin1') }]));
  } catch {
    return null;
  }
}

const example = (k: number) => ({ row: { x: k % 7, colour: `c${k % 3}` }, label: k % 7 > 3 ? 'a' : 'b', id: `${k}` });

/** Makes folders of services that ended in order, and of killed ones, with snapshots, journals and a shadow. */
async function seeds(): Promise<Uint8Array[]> {
  const table = Array.from({ length: 12 }, (_, k) => ({ x: k % 5, y: k % 2 === 0 ? 'p' : 'q' }));
  const { model } = await train(rows(table, { label: 'y' }), { rule: 'perceptron', passes: 2 });
  const files: Files = new Map();
  const models = await openModels({ dir, disk: diskOf(files), segmentBytes: 1024 });
  await models.put('frozen', { kind: 'frozen', file: encodeModel(model) });
  for (const name of names.slice(1)) await models.put(name, { kind: 'learning', options: { window: 4 } });
  const made = [textOfFiles(files)];
  for (let k = 0; k < 16; k++) for (const name of names.slice(1)) await models.get(name)!.learn([example(k)]);
  await models.get('other')!.changeShadow({ kind: 'start', options: { rule: 'perceptron' } }, 's');
  for (let k = 16; k < 20; k++) await models.get('other')!.learn([example(k)]);
  made.push(textOfFiles(files));
  await models.close();
  made.push(textOfFiles(files));
  return made.map(bytesOf);
}

/** Changes one file, in most cases so that its CRC is right again. */
function mutateFiles(bytes: Uint8Array, random: Random): Uint8Array | null {
  const files = filesOf(textOf(bytes));
  if (files === null || files.size === 0) return null;
  const path = [...files.keys()][random.below(files.size)]!;
  const before = files.get(path)!.bytes;
  if (random.below(12) === 0) {
    files.delete(path);
    if (random.below(2) === 0)
      files.set([...files.keys(), `${path}0`][random.below(files.size + 1)]!, { bytes: before });
  } else if (/current$|snapshot-\d+$/.test(path)) {
    const text = Buffer.from(before).toString();
    const lines = text.slice(0, text.lastIndexOf('\n', text.length - 2)).split('\n');
    const k = random.below(lines.length);
    // The watcher and the state of a shadow have no check of their own: who may write the folder may change them.
    if (k === 2) return null;
    lines[k] = textOf(mutateJson(bytesOf(lines[k]!), random) ?? bytesOf('{'));
    // The CRC of a snapshot covers the end of its last line; that of `current` does not.
    const body = Buffer.from(lines.join('\n') + (path.endsWith('current') ? '' : '\n'));
    const crc = crc32c(body).toString(16).padStart(8, '0');
    const after = Buffer.from(`${body}${path.endsWith('current') ? '\n' : ''}${crc}\n`);
    files.set(path, { bytes: after });
    const [, folder, name] = /^(.*\/)(?:copy-)?(snapshot-\d+)$/.exec(path) ?? [];
    if (name !== undefined && random.below(2) === 0)
      for (const each of [name, `copy-${name}`]) files.set(folder + each, { bytes: after });
  } else {
    const changed = Buffer.from(before);
    for (let changes = 1 + random.below(3); changes > 0 && changed.length > 0; changes--)
      changed[random.below(changed.length)] = random.below(256);
    files.set(path, {
      bytes: random.below(4) === 0 ? changed.subarray(0, random.below(changed.length + 1)) : changed,
    });
  }
  return bytesOf(textOfFiles(files));
}

/** Whatever is in the folder of a service, it starts; what it serves learns, and is the same after a restart. */
const serviceTarget: Target = {
  name: 'service',
  words: ['"current"', '"state":"serving"', '"frozen"', '"sequence":0', 'journal-0000000000000001'],
  seeds,
  mutate: mutateFiles,
  async run(bytes, choice) {
    const files = filesOf(textOf(bytes));
    if (files === null || ![...files.keys()].some((path) => path.startsWith(`${dir}/models/`))) return;
    const before = textOfFiles(files);
    const checked = await checkModels({ dir, disk: diskOf(files) });
    same('a check changes nothing', textOfFiles(files), before);
    const models = await openModels({ dir, disk: diskOf(files), segmentBytes: 1024 });
    const ready = checked.filter(({ state }) => state === 'whole').map(({ name }) => name);
    same(
      'a start serves what the check calls whole',
      models.list().map(({ name }) => name),
      ready.sort(),
    );
    const versions: Json = {};
    for (const model of models.list()) {
      if (model.kind === 'learning' && model.fault === null)
        for (const outcome of await model.learn([example(choice % 50)]))
          if ('refused' in outcome) demand(outcome.refused instanceof HalfspaceError, 'a refusal says why');
      versions[model.name] = model.version;
    }
    await models.close();
    if (choice % 2 === 0) await checkModels({ dir, disk: diskOf(files), repair: true });
    const again = await openModels({ dir, disk: diskOf(files), segmentBytes: 1024 });
    for (const [name, version] of Object.entries(versions))
      same('a restart serves the same', again.get(name)?.version, version);
    for (const { name, state, sequence } of choice % 2 === 0 ? checked : [])
      if (state === 'repairable') same('a repair serves what it said', again.get(name)?.version.sequence, sequence);
    await again.close();
  },
};

export const serviceTargets: readonly Target[] = [serviceTarget];
