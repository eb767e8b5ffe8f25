import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The model as the service found it when it opened its folder. */
export interface Opened {
  readonly label: string | null;
  readonly sequence: number;
}

/** A service in a process of its own. */
export class KilledService {
  readonly #child: ChildProcess;
  readonly #calls = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  #count = 0;
  /** Resolves when it begins to open its folder. */
  readonly opening: Promise<void>;
  /** Resolves when it serves. */
  readonly open: Promise<Opened>;
  readonly died: Promise<void>;

  constructor(dir: string) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'service-to-kill.mjs'), dir], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child = child;
    child.stdin!.on('error', () => {});
    this.died = once(child, 'close').then(() => {});
    let opening = () => {};
    let open = (_: Opened) => {};
    this.opening = new Promise((resolve) => {
      opening = resolve;
    });
    this.open = new Promise((resolve) => {
      open = resolve;
    });
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const { event, call, result, error, ...rest } = JSON.parse(line);
      if (event === 'opening') opening();
      else if (event === 'open') open(rest);
      else if (error === undefined) this.#calls.get(call)!.resolve(result);
      else this.#calls.get(call)!.reject(new Error(error));
    });
  }

  /** Calls the service. The promise never settles if it dies before it answers. */
  call<T>(act: 'learn' | 'put' | 'close', given: object = {}): Promise<T> {
    const call = this.#count++;
    this.#child.stdin!.write(`${JSON.stringify({ call, act, ...given })}\n`);
    return new Promise((resolve, reject) => {
      this.#calls.set(call, { resolve: resolve as (result: unknown) => void, reject });
    });
  }

  /** Ends it as a loss of power would, but for the page cache. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.died;
  }

  async end(): Promise<void> {
    await this.call('close');
    this.#child.stdin!.end();
    await this.died;
  }
}
