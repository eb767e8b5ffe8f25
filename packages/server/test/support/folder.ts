import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

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
