import { createHash, timingSafeEqual } from 'node:crypto';
import type { Scope } from './context.ts';

/** A bearer token that may call some routes. Only its hash is kept. */
export interface Key {
  /** For the log and the rate; never the token. */
  readonly name: string;
  /** SHA-256 of the token, as 64 hexadecimal digits. A token is random: at least 128 bits. */
  readonly sha256: string;
  /**
   * `predict`: ask models and read them; `learn`: teach them; `follow`: read snapshots and journals; `admin`: that, and
   * create, replace and retire models.
   */
  readonly scopes: readonly Scope[];
  /** Names of models. Default: all. */
  readonly models?: readonly string[] | undefined;
}

/** Finds keys by their tokens. */
export class Keyring {
  readonly #keys: readonly { readonly key: Key; readonly hash: Buffer }[];

  constructor(keys: readonly Key[]) {
    this.#keys = keys.map((key) => ({ key, hash: Buffer.from(key.sha256, 'hex') }));
  }

  /** Returns the key of a token, or null. The time does not depend on which one it is, or on how similar others are. */
  find(token: string): Key | null {
    const given = createHash('sha256').update(token).digest();
    let found: Key | null = null;
    for (const { key, hash } of this.#keys) if (timingSafeEqual(given, hash)) found = key;
    return found;
  }
}

/** Tests if a key may do something with a model; without a name: with any. */
export function allows(key: Key, scope: Scope, model?: string): boolean {
  const isAllowed = key.scopes.includes(scope) || (scope === 'follow' && key.scopes.includes('admin'));
  return isAllowed && (model === undefined || knows(key, model));
}

/** Tests if a key is one of a model. @param key null: there are none. */
export function knows(key: Key | null, model: string): boolean {
  return key?.models?.includes(model) ?? true;
}
