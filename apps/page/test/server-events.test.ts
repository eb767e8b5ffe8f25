import { expect, test } from 'vitest';
import { serverEvents } from '../src/service/server-events.ts';

const encoder = new TextEncoder();
const text =
  'retry: 3000\n\nevent: state\nid: 7\ndata: {"a":"grün: 1"}\n\n:\n\nevent: alarm\nid: 8\ndata: [2]\n\nevent: cut';

test('events are the same at any cut of the stream, inside letters too', async () => {
  const bytes = encoder.encode(text);
  for (let at = 0; at <= bytes.length; at++) {
    const pieces = [bytes.slice(0, at), bytes.slice(at)];
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
    });
    const events: unknown[] = [];
    for await (const event of serverEvents(stream)) events.push(event);
    expect(events).toEqual([
      { event: 'state', data: { a: 'grün: 1' } },
      { event: 'alarm', data: [2] },
    ]);
  }
});
