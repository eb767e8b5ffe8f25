import { HalfspaceError, OnlineClassifier, type OnlineOptions } from 'halfspace';

/** A change of the shadow of a model: a second learner, which sees the same examples. */
export type ShadowChange =
  /** Begins a shadow, in place of one that is there. */
  | { readonly kind: 'start'; readonly options: OnlineOptions }
  /** Brings the shadow into service. The model before becomes the shadow, so that this can be undone. */
  | { readonly kind: 'promote' }
  | { readonly kind: 'drop' };

/** Kinds of records by changes. The body of `start` is JSON of the options, that of the others is `{}`. */
export const shadowKinds = { start: 2, promote: 3, drop: 4 } as const;

const mostCharacters = 2 ** 20;

/** Returns the body of a change's record. @throws HalfspaceError `option-invalid` for options that cannot be used. */
export function shadowBody(change: ShadowChange): string {
  if (change.kind !== 'start') return '{}';
  const { options } = change;
  if (options.onDrift !== undefined)
    throw new HalfspaceError('option-invalid', 'expected options without onDrift, which is not durable; got it');
  // As text it names the same class.
  const body = JSON.stringify(options, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  if (body.length > mostCharacters)
    throw new HalfspaceError(
      'option-invalid',
      `expected options of at most ${mostCharacters} characters; got ${body.length}`,
    );
  new OnlineClassifier(JSON.parse(body));
  return body;
}

/** Returns the change of a record; null if its kind is none of a change. */
export function parseShadowChange(kind: number, body: string): ShadowChange | null {
  if (kind === shadowKinds.start) return { kind: 'start', options: JSON.parse(body) };
  if (kind === shadowKinds.promote) return { kind: 'promote' };
  return kind === shadowKinds.drop ? { kind: 'drop' } : null;
}
