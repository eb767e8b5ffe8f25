import { execSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';

/** Returns a description of the machine. */
export function describeMachine() {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    // The name of a build says nothing about its speed.
    system: `${type()} ${release().replace(/-.*/, '')} ${arch()}`,
    node: process.version,
    v8: process.versions.v8,
    /** Load average of the minute before the start. */
    loadBefore: loadavg()[0],
    commit: commit(),
  };
}

/** Short hash of the sources measured, with a + when they differ from it; null outside a repository. */
function commit() {
  const git = (args) =>
    execSync(`git ${args}`, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      cwd: import.meta.dirname,
    }).trim();
  try {
    return git('rev-parse --short HEAD') + (git('--no-optional-locks status --porcelain') === '' ? '' : '+');
  } catch {
    return null;
  }
}

/**
 * Returns the data caches of the first core, the nearest first, as Linux reports them; empty elsewhere. A virtual
 * machine may see a cache that it shares with many others.
 *
 * @returns {{ name: string, bytes: number }[]}
 */
export function caches() {
  const folder = '/sys/devices/system/cpu/cpu0/cache';
  const units = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };
  try {
    const indices = readdirSync(folder).filter((name) => name.startsWith('index'));
    return indices
      .map((index) => (part) => readFileSync(`${folder}/${index}/${part}`, 'utf8').trim())
      .filter((part) => part('type') !== 'Instruction')
      .map((part) => {
        const [, size, unit] = /^(\d+)([KMG]?)$/.exec(part('size'));
        return { name: `L${part('level')}`, bytes: Number(size) * (units[unit] ?? 1) };
      })
      .sort((a, b) => a.bytes - b.bytes);
  } catch {
    return [];
  }
}
