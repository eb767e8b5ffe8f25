import { HalfspaceError, quote } from '../errors.ts';
import { readable } from '../readable.ts';
import { stoppable } from './breathe.ts';
import type { ExampleSource, OpenSourceOptions, Source } from './source.ts';
import { wrappedSource } from './wrapped-source.ts';

/**
 * Opens a source, or returns a source of examples as it is.
 *
 * @throws HalfspaceError `option-invalid` for anything else; what {@link Source.open} throws.
 */
export async function openSource(source: Source | ExampleSource, options: OpenSourceOptions): Promise<ExampleSource> {
  checkSource(source);
  const { signal } = options;
  const opened =
    'open' in source && typeof source.open === 'function' ? await source.open(options) : (source as ExampleSource);
  if (signal === undefined) return opened;
  const { name } = opened;
  return wrappedSource(opened, {
    batches: () => stoppable(opened.batches(), signal, name),
  });
}

/** @throws HalfspaceError `option-invalid` for anything that is no source. */
export function checkSource(source: unknown): void {
  const given = (source ?? {}) as Partial<Source & ExampleSource>;
  const { open, batches } = readable(
    'a source',
    () => ({ open: given.open, batches: given.batches }),
    'option-invalid',
  );
  if (typeof open === 'function' || typeof batches === 'function') return;
  throw new HalfspaceError(
    'option-invalid',
    `expected a source, such as csv('data.csv'), rows(objects) or arrays(x, y), or an object with the method batches; got ${quote(source)}`,
  );
}
