import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { defaultLimits } from '../../src/http/limits.ts';
import { answerStream, linesOf } from '../../src/http/ndjson.ts';

async function linesIn(chunks: readonly Buffer[], longest = 100): Promise<string[]> {
  const lines: string[] = [];
  for await (const some of linesOf(Readable.from(chunks), longest)) lines.push(...some.map(String));
  return lines;
}

test('lines are the same wherever the chunks end', async () => {
  const text = Buffer.from('{"a":"ü"}\r\n\n  \n[1]\n"last"');
  const lines = ['{"a":"ü"}\r', '[1]', '"last"'];
  for (let i = 0; i <= text.length; i++)
    for (let j = i; j <= text.length; j++)
      expect(await linesIn([text.subarray(0, i), text.subarray(i, j), text.subarray(j)])).toEqual(lines);
});

test('a line may be as long as the limit, and no longer, in one chunk or several', async () => {
  for (const size of [1, 3, 100]) {
    const chunks = (text: string) =>
      Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size)).map(
        (each) => Buffer.from(each),
      );
    expect(await linesIn(chunks('1234567\n7654321'), 7)).toEqual(['1234567', '7654321']);
    for (const text of ['12345678\n', '12345678', '1\n12345678'])
      await expect(linesIn(chunks(text), 7)).rejects.toThrow('up to 7 bytes');
  }
});

test('a stream is read only as fast as its answer', async () => {
  let asked = 0;
  const server = createServer((incoming, response) => {
    const answer = (values: readonly unknown[]) => {
      asked += values.length;
      return values.map((value) => ({ value: { value } }));
    };
    answerStream(incoming, defaultLimits, answer).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const line = `${JSON.stringify('x'.repeat(1000))}\n`;
  const lines = 50_000;
  const client = request({ port, host: '127.0.0.1', method: 'POST' });
  const answered = new Promise<AsyncIterable<Buffer>>((resolve) => client.once('response', resolve));
  client.flushHeaders();
  let sent = 0;
  /** Sends until nothing moves any more. */
  const send = async () => {
    for (let still = 0; sent < lines && still < 50; still++) {
      while (sent < lines && client.write(line)) {
        sent++;
        still = 0;
      }
      await setImmediate();
    }
  };
  await send();
  const body = await answered;
  await send();
  // Half of the lines would need 25 MB of buffers.
  expect(asked).toBeLessThan(lines / 2);
  let bytes = 0;
  const reading = (async () => {
    for await (const chunk of body) bytes += chunk.length;
  })();
  while (sent < lines) await send();
  client.end();
  await reading;
  expect(asked).toBeGreaterThanOrEqual(lines);
  expect(bytes).toBeGreaterThan(lines * line.length);
  server.close();
});
