import type { RangePart } from './range-parser.ts';

/**
 * A range that is parsed before its turn. Its first part (usually all of it) waits in the parser's own buffers, so the
 * parser must not parse another range meanwhile.
 */
export class HeldRange {
  readonly number: number;
  readonly #parts: AsyncGenerator<RangePart>;
  #first: IteratorResult<RangePart> | null = null;
  #failure: { readonly error: unknown } | null = null;

  private constructor(number: number, parts: AsyncGenerator<RangePart>) {
    this.number = number;
    this.#parts = parts;
  }

  static async begin(number: number, parts: AsyncGenerator<RangePart>): Promise<HeldRange> {
    const held = new HeldRange(number, parts);
    try {
      held.#first = await parts.next();
    } catch (error) {
      held.#failure = { error };
    }
    return held;
  }

  /** @throws the errors of parsing. */
  async *parts(): AsyncGenerator<RangePart> {
    if (this.#failure !== null) throw this.#failure.error;
    for (let next = this.#first!; next.done !== true; next = await this.#parts.next()) yield next.value;
  }
}
