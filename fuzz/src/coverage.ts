import { Session } from 'node:inspector';

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/**
 * Counts blocks of JavaScript that ran for the first time, by V8's coverage. WebAssembly is not counted, but the equal
 * TypeScript is.
 */
export class Coverage {
  readonly #session = new Session();
  readonly #seen = new Set<string>();

  constructor() {
    this.#session.connect();
    this.#post('Profiler.enable');
    this.#post('Profiler.startPreciseCoverage', { callCount: false, detailed: true });
  }

  /** Returns the number of blocks that ran for the first time since the last call. */
  news(): number {
    const before = this.#seen.size;
    const { result } = this.#post('Profiler.takePreciseCoverage') as {
      result: { url: string; functions: { ranges: Range[] }[] }[];
    };
    for (const { url, functions } of result)
      if (url.endsWith('worker.mjs'))
        for (const { ranges } of functions)
          for (const { startOffset, endOffset, count } of ranges)
            if (count > 0) this.#seen.add(`${startOffset} ${endOffset}`);
    return this.#seen.size - before;
  }

  get blocks(): number {
    return this.#seen.size;
  }

  #post(method: string, parameters: object = {}): unknown {
    let answer: unknown;
    this.#session.post(method, parameters, (error, result) => {
      if (error) throw new Error(`the profiler refused ${method}: ${error.message}`);
      answer = result;
    });
    return answer;
  }
}
