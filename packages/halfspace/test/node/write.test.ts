import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makerName } from '../../src/node/maker.ts';
import { temporaryFolder } from '../../src/node/temporary.ts';
import { openWhole, writeWhole } from '../../src/node/write.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'halfspace-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a file that is written completely or not at all', () => {
  it('appears when it is finished; the old file stays until then, and nothing else is left', () => {
    const path = join(folder, 'a.json');
    writeFileSync(path, 'before');
    const file = openWhole(path);
    file.append('af');
    file.append(Buffer.from('ter'));
    expect(readFileSync(path, 'utf8')).toBe('before');
    file.finish();
    file.discard();
    expect(readFileSync(path, 'utf8')).toBe('after');
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  it('leaves nothing if it is discarded', () => {
    const file = openWhole(join(folder, 'a.json'));
    file.append('half');
    file.discard();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is written although a killed process left its half under the same number; that file is not touched', () => {
    const left = `.a.json.${process.pid}.partial`;
    writeFileSync(join(folder, left), 'half');
    const file = openWhole(join(folder, 'a.json'));
    file.append('whole');
    file.finish();
    expect(readFileSync(join(folder, 'a.json'), 'utf8')).toBe('whole');
    expect(readFileSync(join(folder, left), 'utf8')).toBe('half');
  });

  it('may be written twice at once: the last one to finish wins', () => {
    const path = join(folder, 'a.json');
    const files = ['one', 'two'].map((text) => {
      const file = openWhole(path);
      file.append(text);
      return file;
    });
    for (const file of files) file.finish();
    expect(readFileSync(path, 'utf8')).toBe('two');
    expect(readdirSync(folder)).toEqual(['a.json']);
  });
});

describe('the file that is replaced', () => {
  const replace = (path: string) => {
    const file = openWhole(path);
    file.append('after');
    file.finish();
  };
  const unix = process.platform !== 'win32';

  it.skipIf(!unix)('passes on its permissions, and a private file is private from the first byte', () => {
    const path = join(folder, 'a.json');
    for (const mode of [0o600, 0o640, 0o444, 0o755, 0o666]) {
      writeFileSync(path, 'before');
      chmodSync(path, mode);
      const file = openWhole(path);
      file.append('after');
      expect(statSync(file.partial!).mode & 0o077 & ~mode).toBe(0);
      file.finish();
      expect(statSync(path).mode & 0o777).toBe(mode);
      expect(readFileSync(path, 'utf8')).toBe('after');
      rmSync(path);
    }
  });

  it.skipIf(process.getuid?.() !== 0)('passes on its owner (skipped for users who may not give files away)', () => {
    const path = join(folder, 'a.json');
    writeFileSync(path, 'before');
    chownSync(path, 4711, 4712);
    replace(path);
    expect(statSync(path)).toMatchObject({ uid: 4711, gid: 4712 });
  });

  it.skipIf(!unix)('may be behind links: they stay and lead to the new file, also if there was none', () => {
    mkdirSync(join(folder, 'far'));
    for (const before of [true, false]) {
      const target = join(folder, 'far', 'target');
      rmSync(target, { force: true });
      if (before) writeFileSync(target, 'before');
      const link = join(folder, 'link');
      const chain = join(folder, 'far', 'chain');
      symlinkSync(join('far', 'chain'), link);
      symlinkSync('target', chain);
      replace(link);
      expect(readFileSync(target, 'utf8')).toBe('after');
      expect([readlinkSync(link), readlinkSync(chain)]).toEqual([join('far', 'chain'), 'target']);
      expect(readdirSync(join(folder, 'far')).sort()).toEqual(['chain', 'target']);
      rmSync(link);
      rmSync(chain);
    }
  });

  it.skipIf(!unix)('is refused behind links that form a circle', () => {
    symlinkSync('b', join(folder, 'a'));
    symlinkSync('a', join(folder, 'b'));
    expect(() => openWhole(join(folder, 'a'))).toThrow('expected to write; got');
  });

  it('may have the longest possible name', () => {
    const path = join(folder, 'é'.repeat(127));
    replace(path);
    expect(readdirSync(folder)).toEqual(['é'.repeat(127)]);
  });
});

describe('leftovers of dead processes', () => {
  /** Returns the output of a child process, and the names of the files that it leaves when it is killed. */
  function killed(): { pid: number; name: string } {
    const script = `
      import { makerName } from ${JSON.stringify(join(import.meta.dirname, '../../dist/node/maker.js'))};
      process.stdout.write(makerName());
      process.kill(process.pid, 'SIGKILL');`;
    const { stdout, pid } = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
    return { pid, name: stdout.toString() };
  }

  it('are removed by the next write to the folder, and nothing else is', () => {
    const dead = killed();
    expect(dead.name).toMatch(new RegExp(`^${dead.pid}-\\d+-[A-Za-z0-9]+$`));
    const [, start, place] = dead.name.split('-');
    const mine = makerName();
    const left = [`.a.json.${dead.name}.partial`, `.a.json.${dead.name}-2.partial`, `.b.json.${dead.name}.partial`];
    const others = [
      // Of this process, which lives; of a container or a machine that is not this one; and of nobody.
      `.a.json.${mine}-9.partial`,
      `.a.json.${dead.pid}-${start}-${place}x.partial`,
      `.a.json.${dead.pid}.partial`,
      `.a.json.${dead.name}.partial.txt`,
      `a.json.${dead.name}.partial`,
    ];
    for (const name of [...left, ...others]) writeFileSync(join(folder, name), 'half');
    writeWhole(join(folder, 'a.json'), 'whole');
    expect(readdirSync(folder).sort()).toEqual([...others, 'a.json'].sort());
  });

  it.skipIf(process.platform !== 'linux')(
    'are distinguished from files of a later process with the same number',
    () => {
      const [pid, start, place] = makerName().split('-');
      const before = `.a.json.${pid}-${Number(start) - 1}-${place}.partial`;
      writeFileSync(join(folder, before), 'half');
      writeWhole(join(folder, 'a.json'), 'whole');
      expect(readdirSync(folder)).toEqual(['a.json']);
    },
  );

  it('are removed from the folder for temporary files; links and files of others are kept', () => {
    const dead = killed();
    const name = `halfspace-${dead.name}-AbC123`;
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'table'), 'rows');
    mkdirSync(join(folder, 'kept'));
    writeFileSync(join(folder, 'kept', 'file'), 'mine');
    symlinkSync(join(folder, 'kept'), join(folder, `halfspace-${dead.name}-link00`));
    mkdirSync(join(folder, 'halfspace-AbC123'));
    const own = temporaryFolder(folder);
    expect(readdirSync(folder).sort()).toEqual([basename(own.path), 'halfspace-AbC123', 'kept'].sort());
    expect(readdirSync(join(folder, 'kept'))).toEqual(['file']);
    own.remove();
    own.remove();
    expect(readdirSync(folder).sort()).toEqual(['halfspace-AbC123', 'kept']);
  });
});
