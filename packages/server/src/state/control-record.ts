import { HalfspaceError, OnlineClassifier, type OnlineOptions } from 'halfspace';
import type { Draft } from './example-record.ts';

/** A change of the shadow of a model: a second learner, which sees the same examples. */
export type ShadowChange =
  /** Begins a shadow, in place of one that is there. */
  | { readonly kind: 'start'; readonly options: OnlineOptions }
  /** Brings the shadow into service. The model before becomes the shadow, so that this can be undone. */
  | { readonly kind: 'promote' }
  | { readonly kind: 'drop' };

/** Kinds of records by changes. The body is `[id or null, options or null]`, with the id as of {@link recordedId}. */
export const shadowKinds = { start: 2, promote: 3, drop: 4 } as const;

const mostCharacters = 2 ** 20;

/** The parts of a change's record. */
export interface RecordedChange {
  readonly id: string | null;
  readonly change: ShadowChange;
}

/** Returns the options of a change as JSON. @throws HalfspaceError `option-invalid` if they cannot be used. */
export function changeJson(change: ShadowChange): string {
  return change.kind === 'start' ? optionsJson(change.options) : 'null';
}

/** Returns the record of a change. @param options by {@link changeJson}. */
export function shadowDraft(id: string | null, { kind }: ShadowChange, options: string): Draft {
  return { kind: shadowKinds[kind], begin: `[${JSON.stringify(id)},${options}]`, names: null, end: '' };
}

function optionsJson(options: OnlineOptions): string {
  if (options.onDrift !== undefined)
    throw new HalfspaceError('option-invalid', 'expected options without onDrift, which is not durable; got it');
  // As text it names the same class.
  const json = JSON.stringify(options, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  if (json.length > mostCharacters)
    throw new HalfspaceError(
      'option-invalid',
      `expected options of at most ${mostCharacters} characters; got ${json.length}`,
    );
  new OnlineClassifier(JSON.parse(json));
  return json;
}

/** Returns the parts of a record; null if its kind is not that of a change. */
export function parseShadowChange(kind: number, body: string): RecordedChange | null {
  const [id, options] = JSON.parse(body) as [string | null, OnlineOptions];
  if (kind === shadowKinds.start) return { id, change: { kind: 'start', options } };
  if (kind === shadowKinds.promote) return { id, change: { kind: 'promote' } };
  return kind === shadowKinds.drop ? { id, change: { kind: 'drop' } } : null;
}
