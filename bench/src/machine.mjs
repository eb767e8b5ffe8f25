import { execSync } from 'node:child_process';
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
