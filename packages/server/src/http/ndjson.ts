import { Readable } from 'node:stream';
import { parseJson } from './json.ts';
import type { RequestLimits } from './limits.ts';
import { type Problem, problemOf, Refusal } from './problem.ts';

/*
 * Streams of JSON, one value a line. An answer has one line for each line of the request that is not blank, in order.
 * The request is read only as fast as the answer is: nothing is kept but a chunk and an incomplete line.
 */

export const ndjsonType = 'application/x-ndjson';
const lineFeed = 10;

/** Yields the complete lines of each chunk, without blank ones. @throws Refusal for a line above `longest` bytes. */
export async function* linesOf(chunks: AsyncIterable<Buffer>, longest: number): AsyncGenerator<Buffer[]> {
  let rest: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const lines: Buffer[] = [];
    let from = 0;
    for (let to = chunk.indexOf(lineFeed); to >= 0; to = chunk.indexOf(lineFeed, from)) {
      rest.push(chunk.subarray(from, to));
      const line = rest.length === 1 ? rest[0]! : Buffer.concat(rest);
      if (line.length > longest) throw tooLong(longest);
      if (!isBlank(line)) lines.push(line);
      rest = [];
      size = 0;
      from = to + 1;
    }
    if (from < chunk.length) {
      rest.push(chunk.subarray(from));
      size += chunk.length - from;
      if (size > longest) throw tooLong(longest);
    }
    if (lines.length > 0) yield lines;
  }
  const last = Buffer.concat(rest);
  if (!isBlank(last)) yield [last];
}

function isBlank(line: Buffer): boolean {
  return line.length === 0 || (line[0]! <= 0x20 && line.toString('latin1').trim() === '');
}

function tooLong(longest: number): Refusal {
  return new Refusal(413, 'body-too-large', `expected lines up to ${longest} bytes; got a longer one`);
}

/** Outcome of a line: a value, or an error that goes into the answer as `{"problem": …}`. */
export type LineAnswer = { readonly value: object } | { readonly error: unknown };

/** Answers the values of some lines, in order. An error ends the stream, after a line that tells it. */
export type AnswerLines = (values: readonly unknown[], first: number) => Promise<LineAnswer[]> | LineAnswer[];

/**
 * Returns the body of an answer to a stream.
 *
 * @param answer gets the values of lines that are JSON; `first` is the number of JSON values before them.
 * @param tell returns the problem of an error.
 */
export function answerStream(
  body: AsyncIterable<Buffer>,
  limits: RequestLimits,
  answer: AnswerLines,
  tell: (error: unknown) => Problem = problemOf,
): Readable {
  const textOf = (line: LineAnswer) =>
    `${JSON.stringify('value' in line ? line.value : { problem: tell(line.error) })}\n`;
  async function* pieces(): AsyncGenerator<string> {
    let first = 0;
    try {
      for await (const lines of linesOf(body, limits.body)) {
        const parsed = lines.map((line) => parseLine(line, limits.depth));
        const values = parsed.flatMap((line) => ('value' in line ? [line.value] : []));
        const answers = values.length === 0 ? [] : await answer(values, first);
        first += values.length;
        let next = 0;
        yield parsed.map((line) => textOf('value' in line ? answers[next++]! : line)).join('');
      }
    } catch (error) {
      // The status of the answer has been sent. A client that has gone reads nothing.
      yield textOf({ error });
    }
  }
  return Readable.from(pieces(), { objectMode: false });
}

function parseLine(line: Buffer, depth: number): { readonly value: unknown } | { readonly error: unknown } {
  try {
    return { value: parseJson(line, depth) };
  } catch (error) {
    return { error };
  }
}
