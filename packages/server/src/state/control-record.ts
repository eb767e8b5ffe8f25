import { HalfspaceError, OnlineClassifier, type OnlineOptions } from 'halfspace';
import { quote } from 'halfspace/checks';
import type { Draft } from './example-record.ts';

/** A change of the shadow of a model: a second learner, which sees the same examples. */
export type ShadowChange =
  /** Begins a shadow, in place of one that is there. */
  | { readonly kind: 'start'; readonly options: OnlineOptions }
  /** Brings the shadow into service. The model before becomes the shadow, so that this can be undone. */
  | { readonly kind: 'promote' }
  | { readonly kind: 'drop' }
  /** Lets the shadow give a share of the answers, in [0, 1]. A new shadow, and one after a promotion, gives none. */
  | { readonly kind: 'share'; readonly share: number };

/** Kinds of records by changes. The body is `[id or null, options, share or null]`; the id is a {@link recordedId}. */
export const shadowKinds = { start: 2, promote: 3, drop: 4, share: 6 } as const;

/** The newest kind of record of all, also of examples. */
export const newestKind = 6;

const mostCharacters = 2 ** 20;

/** The parts of a change's record. */
export interface RecordedChange {
  readonly id: string | null;
  readonly change: ShadowChange;
}

/** Returns what a change gives, as JSON. @throws HalfspaceError `option-invalid` if it cannot be used. */
export function changeJson(change: ShadowChange): string {
  if (change.kind === 'share') {
    if (change.share >= 0 && change.share <= 1) return JSON.stringify(change.share);
    throw new HalfspaceError('option-invalid', `share must be in [0, 1]; got ${quote(change.share)}`);
  }
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
  if (!Object.values<number>(shadowKinds).includes(kind)) return null;
  const [id, given] = JSON.parse(body) as [string | null, OnlineOptions & number];
  if (kind === shadowKinds.start) return { id, change: { kind: 'start', options: given } };
  if (kind === shadowKinds.promote) return { id, change: { kind: 'promote' } };
  return { id, change: kind === shadowKinds.share ? { kind: 'share', share: given } : { kind: 'drop' } };
}
