import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A process that runs commands of the bundle one after the other, without loading the library for each. */
interface WarmProcess {
  ask(cwd: string, args: readonly string[]): { status: number; out: string; err: string } | null;
}

const place = Symbol.for('halfspace warm process');
const shared = globalThis as { [place]?: WarmProcess };

/** Runs a command in a process that other tests share; null: it ended there, and is to be run in its own. */
export function runWarm(command: string, cwd: string, args: readonly string[]) {
  shared[place] ??= start(command);
  const answer = shared[place].ask(cwd, args);
  if (answer === null) delete shared[place];
  return answer;
}

function start(command: string): WarmProcess {
  const folder = mkdtempSync(join(tmpdir(), 'halfspace-warm-'));
  const [requests, answers] = ['requests', 'answers'].map((name) => join(folder, name));
  spawnSync('mkfifo', [requests!, answers!]);
  const script = join(import.meta.dirname, 'warm-process.cjs');
  // It ends when this process ends, which closes the pipe.
  const child = spawn(process.execPath, [script, command, requests!, answers!], {
    stdio: 'ignore',
    env: { ...process.env, FORCE_COLOR: '' },
  });
  child.unref();
  const to = openSync(requests!, 'w');
  const from = openSync(answers!, 'r');
  rmSync(folder, { recursive: true });

  /** Reads so many bytes; null: the process has ended. */
  function read(length: number): Buffer | null {
    const bytes = Buffer.alloc(length);
    for (let at = 0; at < length; ) {
      const count = readSync(from, bytes, at, length - at, null);
      if (count === 0) return null;
      at += count;
    }
    return bytes;
  }

  return {
    ask(cwd, args) {
      const body = Buffer.from(JSON.stringify({ cwd, args }));
      const head = Buffer.alloc(4);
      head.writeUInt32LE(body.length);
      writeSync(to, Buffer.concat([head, body]));
      const length = read(4);
      const answer = length && read(length.readUInt32LE());
      if (answer === null) return null;
      const { status, out, err } = JSON.parse(answer.toString());
      return { status, out: Buffer.from(out, 'base64').toString(), err: Buffer.from(err, 'base64').toString() };
    },
  };
}
