import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWhole } from '../src/node/write.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'halfspace-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a file that appears whole', () => {
  it('is not there before it is finished, what was there stays until then, and nothing else is left', () => {
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

  it('leaves nothing when it is discarded', () => {
    const file = openWhole(join(folder, 'a.json'));
    file.append('half');
    file.discard();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is written although a process that was killed left its half under the same number, which is not touched', () => {
    const left = `.a.json.${process.pid}.partial`;
    writeFileSync(join(folder, left), 'half');
    const file = openWhole(join(folder, 'a.json'));
    file.append('whole');
    file.finish();
    expect(readFileSync(join(folder, 'a.json'), 'utf8')).toBe('whole');
    expect(readFileSync(join(folder, left), 'utf8')).toBe('half');
  });

  it('may be written twice at once: the last to finish counts', () => {
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
