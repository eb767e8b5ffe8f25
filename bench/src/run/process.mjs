import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Every command runs in the bench folder, with paths relative to it, so that a printed command can be run again as it
 * stands.
 */
export const benchFolder = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @typedef {object} Measured
 * @property {number} seconds wall time from spawn to exit
 * @property {number | null} cpuSeconds user + system, with the process's waited-for children; null where nothing can
 * tell
 * @property {number | null} peakMegabytes largest resident set; null where nothing can tell
 * @property {number | null} otherSeconds CPU time that the rest of the machine used meanwhile; null where nothing can
 * tell
 * @property {string} stdout
 */

/** A command ended with an unexpected status. */
export class CommandError extends Error {}

/**
 * Runs a command to its end and measures it.
 *
 * @param {string[]} command
 * @param {{ anyStatus?: boolean }} options `anyStatus`: do not mind the exit status
 * @returns {Measured}
 */
export function measure(command, { anyStatus = false } = {}) {
  const usageFile = join(tmpdir(), `halfspace-bench-${process.pid}.usage`);
  const words = hasGnuTime() ? [gnuTime, '-q', '-f', '%U %S %M', '-o', usageFile, ...command] : command;
  const busyBefore = busySeconds();
  const began = process.hrtime.bigint();
  const { status, signal, error, stdout, stderr } = run(words);
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  const busy = busySeconds() - busyBefore;
  if (error !== undefined) throw new CommandError(error.message);
  if (signal !== null || (status !== 0 && !anyStatus)) {
    const said = stderr.trim().split('\n').slice(-3).join(' | ');
    throw new CommandError(`${command[0]} ended with ${signal ?? status}: ${said}`);
  }
  let cpuSeconds = null;
  let peakMegabytes = null;
  if (existsSync(usageFile)) {
    const [user, system, kilobytes] = readFileSync(usageFile, 'utf8').trim().split(' ').map(Number);
    cpuSeconds = user + system;
    peakMegabytes = kilobytes / 1024;
    rmSync(usageFile);
  }
  const otherSeconds = cpuSeconds === null ? null : Math.max(0, busy - cpuSeconds);
  return { seconds, cpuSeconds, peakMegabytes, otherSeconds, stdout };
}

/** CPU time that all cores together have spent on anything since the machine started. */
function busySeconds() {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000;
}

/** What a command prints, or null when it cannot be run or fails. */
export function output(command, { anyStatus = false } = {}) {
  const { status, error, stdout, stderr } = run(command);
  return error === undefined && (status === 0 || anyStatus) ? stdout + stderr : null;
}

/** @param {string[]} command */
function run(command) {
  const [program, ...args] = command;
  return spawnSync(program, args, {
    cwd: benchFolder,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    windowsHide: true,
  });
}

const gnuTime = '/usr/bin/time';
let gnuTimeFound;

/** BSD's `time` has neither -f nor -o; there CPU time and memory stay blank rather than become something else. */
export function hasGnuTime() {
  gnuTimeFound ??= existsSync(gnuTime) && (output([gnuTime, '--version']) ?? '').includes('GNU');
  return gnuTimeFound;
}
