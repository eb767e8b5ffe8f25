import { OnlineClassifier, type OnlineOptions } from 'halfspace';
import { expect } from 'vitest';
import { encodeGroup } from '../../src/journal/frame.ts';
import type { Example } from '../../src/models/contract.ts';
import type { ShadowChange } from '../../src/state/control-record.ts';
import { recordOf } from '../../src/state/example-record.ts';
import { ModelState } from '../../src/state/model-state.ts';
import { decodeSnapshot } from '../../src/state/snapshot-file.ts';
import { changeDraftOf, draftOf, givenId } from './drafts.ts';

/** All that clients may have sent, by its id: examples and changes of shadows. */
export type SentRecords = Map<string, Example | ShadowChange>;

/** The one example that is sent without an id, so that its content is known. */
export const nameless: Example = { row: { x: 1, colour: 'white' }, label: 'no' };

/** The number of ids that a model remembers. No more records may come between two checks. */
export const mostIds = 5000;

/** A model as its clients know it, and the same model in a run that nothing interrupts. */
export class KnownModel {
  /** Tells this model from others of its name. */
  readonly label: string;
  readonly #sent: SentRecords;
  readonly #acknowledged = new Map<number, string | null>();
  readonly #sequences = new Map<string, number>();
  /** The uninterrupted run, by the service's machine and by the library alone. */
  readonly #state: ModelState;
  #direct: OnlineClassifier;
  #shadow: OnlineClassifier | null = null;

  constructor(name: string, label: string, sent: SentRecords) {
    this.label = label;
    this.#sent = sent;
    this.#state = ModelState.begin(name, new OnlineClassifier(this.options), mostIds);
    this.#direct = new OnlineClassifier(this.options);
  }

  get options(): OnlineOptions {
    return { label: this.label, window: 20, drift: 'page-hinkley' };
  }

  /** As of the last check. */
  get state(): ModelState {
    return this.#state;
  }

  /** Number of acknowledged records since the last check. */
  get acknowledged(): number {
    return this.#acknowledged.size;
  }

  /** Notes an outcome that a client received. */
  acknowledge(id: string | null, { sequence }: { readonly sequence: number }): void {
    if (sequence > this.#state.sequence) {
      expect(this.#acknowledged.get(sequence) ?? id).toBe(id);
      this.#acknowledged.set(sequence, id);
    }
    if (id === null) return;
    expect(this.#sequences.get(id) ?? sequence).toBe(sequence);
    this.#sequences.set(id, sequence);
  }

  /** Fails unless a snapshot holds all that was acknowledged, once, and is that of the uninterrupted run. */
  check(snapshot: Uint8Array): void {
    const { sequence, ids } = decodeSnapshot(snapshot);
    const from = this.#state.sequence;
    expect(sequence - from).toBeLessThan(mostIds);
    expect(sequence).toBeGreaterThanOrEqual(Math.max(from, ...this.#acknowledged.keys()));
    expect(new Set(ids.map(([id]) => id)).size).toBe(ids.length);
    const order = new Map(ids.map(([id, at]) => [at, givenId(id)]));
    for (let at = from + 1; at <= sequence; at++) {
      const id = order.get(at) ?? null;
      if (this.#acknowledged.has(at)) expect(id).toBe(this.#acknowledged.get(at));
      if (id !== null) {
        expect(this.#sequences.get(id) ?? at).toBe(at);
        this.#sequences.set(id, at);
      }
      this.#apply(id, at);
    }
    this.#acknowledged.clear();
    expect(Buffer.compare(this.#state.snapshot(), snapshot)).toBe(0);
    expect(this.#direct.save()).toBe(this.#state.classifier.save());
  }

  #apply(id: string | null, at: number): void {
    const record = id === null ? nameless : this.#sent.get(id);
    if (record === undefined) throw new Error(`expected an id that was sent; got ${id}`);
    const isChange = 'kind' in record;
    const complete = recordOf(isChange ? changeDraftOf(id!, record) : draftOf(id, record), this.#state.names.copy());
    this.#state.apply(encodeGroup([complete], at, 0, 0).payloads[0]!);
    if (!isChange) {
      const { row, label, importance = 1 } = record;
      this.#direct.learn(row, label, { importance });
      this.#shadow?.learn(row, label, { importance });
    } else if (record.kind === 'promote') [this.#direct, this.#shadow] = [this.#shadow!, this.#direct];
    else if (record.kind !== 'share')
      this.#shadow = record.kind === 'drop' ? null : new OnlineClassifier(record.options);
  }
}
