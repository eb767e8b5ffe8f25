import { spawn, spawnSync } from 'node:child_process';

/** Tests if a program can be started, whatever its exit status. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, [], { input: '' }).error === undefined;
}

/** Returns the first line that a program prints. */
export function firstLine(program: string, ...options: readonly string[]): string {
  return spawnSync(program, options).stdout.toString().split('\n')[0]!.trim();
}

/** Runs a program to its end, and returns what it prints. @throws Error with its complaint. */
export function run(program: string, options: readonly string[], input: Uint8Array | string = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, options);
    const out: Buffer[] = [];
    let complaint = '';
    child.stdout.on('data', (piece: Buffer) => out.push(piece));
    child.stderr.on('data', (piece: Buffer) => {
      if (complaint.length < 2000) complaint += piece.toString();
    });
    child.once('error', reject);
    child.once('close', (status, signal) => {
      if (status === 0) resolve(Buffer.concat(out).toString());
      else
        reject(
          new Error(`${program} ended with ${signal ?? `status ${status}`}${complaint && `: ${complaint.trim()}`}`),
        );
    });
    // A program that ends early is told by its status.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** A program that answers each line with a line. */
export class LineProgram {
  readonly #child: ReturnType<typeof spawn>;
  #pending = '';
  #complaint = '';
  #ended = false;
  #heard: () => void = () => {};

  constructor(program: string, options: readonly string[]) {
    this.#child = spawn(program, options);
    const { stdout, stderr, stdin } = this.#child;
    stdout!.setEncoding('utf8').on('data', (piece: string) => {
      this.#pending += piece;
      if (piece.includes('\n')) this.#heard();
    });
    stderr!.setEncoding('utf8').on('data', (piece: string) => {
      this.#complaint = (this.#complaint + piece).slice(-2000);
    });
    stdin!.on('error', () => {});
    this.#child.once('close', () => {
      this.#ended = true;
      this.#heard();
    });
    this.#child.once('error', () => {});
  }

  /** @throws Error with its complaint if it ends instead. */
  async ask(line: string): Promise<string> {
    this.#child.stdin!.write(`${line}\n`);
    while (!this.#pending.includes('\n')) {
      if (this.#ended) throw new Error(`${this.#child.spawnfile} ended: ${this.#complaint.trim()}`);
      await new Promise<void>((resolve) => {
        this.#heard = resolve;
      });
    }
    const end = this.#pending.indexOf('\n');
    const answer = this.#pending.slice(0, end);
    this.#pending = this.#pending.slice(end + 1);
    return answer;
  }

  close(): void {
    this.#child.stdin!.end();
  }
}
