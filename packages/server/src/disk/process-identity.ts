import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process. Its number is not enough: numbers are used again, also by other containers. */
export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** Start time in clock ticks; null if the system does not tell it. */
  readonly start: string | null;
  /** The boot and the namespaces in which process numbers are comparable; null if the system does not tell them. */
  readonly place: string | null;
}

export function ownIdentity(): ProcessIdentity {
  return { host: hostname(), pid: process.pid, start: startOf(process.pid), place: ownPlace() };
}

/** Tells if a process is there; null if nothing can be known about it. */
export function isAlive({ pid, start, place }: ProcessIdentity): boolean | null {
  if (place === null || start === null || place !== ownPlace()) return null;
  return startOf(pid) === start;
}

function ownPlace(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    // Start times are counted in the time namespace.
    return [boot, ...['pid', 'time'].map((space) => readlinkSync(`/proc/self/ns/${space}`))].join(' ');
  } catch {
    return null;
  }
}

/** Returns the start time of a process; null if there is none, if it is a zombie, or if the system does not tell. */
function startOf(pid: number): string | null {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program, in brackets, may have blanks and brackets.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : fields[19]!;
  } catch {
    return null;
  }
}
