import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';

const command = resolve(import.meta.dirname, '../../../cli/bin/halfspace.cjs');

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A list is sent as lines of JSON, other objects as JSON. */
  readonly body?: object;
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** All that came, also before a connection broke. */
  readonly text: string;
  readonly isWhole: boolean;
}

/** `halfspace serve` in a process of its own, which ends with the test. */
export class StartedCommand {
  readonly process: ChildProcess;
  /** What it wrote to standard error. */
  log = '';
  /** The URL at which it listens; null if it ended before. */
  readonly url: Promise<string | null>;
  /** The exit status and the signal that ended it. */
  readonly ended: Promise<readonly [status: number | null, signal: NodeJS.Signals | null]>;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });

  constructor(args: readonly string[]) {
    const child = spawn(process.execPath, [command, 'serve', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.process = child;
    onTestFinished(() => void child.kill('SIGKILL'));
    this.ended = once(child, 'close') as unknown as typeof this.ended;
    child.stderr.on('data', (piece) => {
      this.log += piece;
    });
    let out = '';
    this.url = new Promise((settle) => {
      child.stdout.on('data', (piece) => {
        out += piece;
        const [, url] = /The service is at (\S+)\n/.exec(out) ?? [];
        if (url !== undefined) settle(url);
      });
      child.once('close', () => settle(null));
    });
  }

  /** Sends a request. The result is null if it was not answered at all. */
  async ask(path: string, { method, headers = {}, body }: Sent = {}): Promise<Received | null> {
    const isLines = Array.isArray(body);
    const text = isLines ? body.map((line) => `${JSON.stringify(line)}\n`).join('') : JSON.stringify(body);
    const type = { 'content-type': isLines ? 'application/x-ndjson' : 'application/json' };
    const url = await this.url;
    if (url === null) return null;
    return new Promise((settle) => {
      const sent = request(
        new URL(path, url),
        {
          agent: this.#agent,
          method: method ?? (body === undefined ? 'GET' : 'POST'),
          headers: { ...(body === undefined ? {} : type), ...headers },
        },
        (answer) => {
          let received = '';
          const end = () => {
            const { statusCode, headers: names, complete } = answer;
            settle({ status: statusCode!, headers: names, text: received, isWhole: complete });
          };
          answer.setEncoding('utf8').on('data', (piece) => {
            received += piece;
          });
          answer.on('error', () => {}).on('close', end);
        },
      );
      sent.on('error', () => settle(null)).end(text);
    });
  }

  /** Ends it as a loss of power would, but for the page cache. */
  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.ended;
    this.#agent.destroy();
  }
}
