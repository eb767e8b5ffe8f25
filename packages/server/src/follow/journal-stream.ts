import { HalfspaceError } from 'halfspace';
import { linesOf } from '../http/ndjson.ts';
import type { JournalPart } from '../models/contract.ts';
import { newestKind } from '../state/control-record.ts';

/** The writer sends a line each second. */
const longestSilenceMs = 15_000;
/** Bytes of a line: JSON of records of 16 MiB, whose bodies are JSON themselves. */
const longestLine = 2 ** 26;

/** Yields the pieces of an answer as they come. @throws the reason of the signal; Error after a silence. */
export async function* chunksOf({ body }: Response, signal: AbortSignal): AsyncGenerator<Buffer> {
  const reader = body!.getReader();
  const end = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', end);
  try {
    for (;;) {
      let isSilent = false;
      const late = setTimeout(() => {
        isSilent = true;
        end();
      }, longestSilenceMs);
      const { done, value } = await reader.read().finally(() => clearTimeout(late));
      signal.throwIfAborted();
      if (isSilent)
        throw new Error(`expected the writer to go on; it was silent for ${longestSilenceMs / 1000} seconds`);
      if (done) return;
      yield Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

/** Yields the parts of a journal as they come. @throws as {@link chunksOf}; HalfspaceError for lines that are none. */
export async function* partsIn(response: Response, signal: AbortSignal): AsyncGenerator<JournalPart> {
  for await (const lines of linesOf(chunksOf(response, signal), longestLine))
    for (const line of lines) yield checked(JSON.parse(line.toString()) as JournalPart);
}

function checked(part: JournalPart): JournalPart {
  const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
  const { version, head, records } = part;
  if (!isCount(version?.sequence) || !isCount(head) || !Array.isArray(records))
    throw new HalfspaceError('source-corrupt', 'expected a part of a journal; got other JSON');
  for (const { kind, body } of records)
    if (!isCount(kind) || kind < 1 || kind > newestKind || typeof body !== 'string')
      throw new HalfspaceError(
        'source-corrupt',
        `expected records of kind 1 to ${newestKind}; got another: the writer is a newer version of the service`,
      );
  return part;
}
