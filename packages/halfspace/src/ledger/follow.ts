import type { StoredBatch } from '../batch.ts';
import { HalfspaceError } from '../errors.ts';
import type { Score } from '../model/metrics.ts';
import type { LearnedFunction, Learner } from '../rules/learner.ts';
import { clockAfter } from '../rules/mistake-driven.ts';
import type { UpdateMarks } from '../rules/update-log.ts';
import type { Guide } from '../train/guide.ts';
import type { RunState } from '../train/observer.ts';
import { functionOf, type Ledger, updateAt } from './ledger.ts';
import { fromShortFloat, toShortFloat } from './short-float.ts';

/** An update as it is made again. */
export interface MadeUpdate {
  /** From 1. */
  readonly step: number;
  readonly pass: number;
  /** Number of the example in the data, from 0. */
  readonly row: number;
  readonly raised: number;
  readonly lowered: number;
  /** By how much the raised class led before. */
  readonly lead: number;
  /** τ > 0: how many x were added to the weights of the raised class, and taken from those of the lowered one. */
  readonly size: number;
  /** Importance shown before. */
  readonly clock: number;
  /** The example, at `index` of a batch of x as learned from: divided already, where the run divides. */
  readonly batch: StoredBatch;
  readonly index: number;
}

export interface FollowOptions {
  /** The last step to be made. Default: all, and then the run goes on to its end. */
  readonly until?: number | undefined;
  /** Told every update as soon as it is made. */
  readonly visit?: ((update: MadeUpdate) => void) | undefined;
  /** Given the learner before anything is shown to it. */
  readonly begin?: ((learner: Learner) => void) | undefined;
  /** Whether what was learned by the end of each pass is wanted as well. Default false. */
  readonly keeps?: boolean | undefined;
  /** Which passes follow the ledger; in others every example is looked at. Default: all. */
  readonly follows?: ((pass: number) => boolean) | undefined;
  /** An example that is shown no more: its place in every pass. */
  readonly omitted?: number | undefined;
}

/**
 * Leads a run through a ledger: only examples that made an update are looked at, and every one of them is to make it again, with the same
 * lead. So data that are not those of the ledger are found out at the first update that differs.
 */
export class LedgerGuide implements Guide {
  readonly restarted: boolean;
  done = false;
  /** Updates made as the ledger has them. */
  followed = 0;
  /** Importance shown by the end of each pass, and in all. */
  readonly clocks: number[] = [];
  clock = 0;
  /** What was learned in all. */
  functions: readonly LearnedFunction[] = [];
  /** What was learned by the end of each pass, where that is wanted. */
  readonly functionsOfPass: (readonly LearnedFunction[])[] = [];
  readonly #ledger: Ledger;
  readonly #options: FollowOptions;
  readonly #until: number;
  /** The next update, from 0. */
  #next = 0;
  #passed = 0;

  constructor(ledger: Ledger, options: FollowOptions = {}) {
    this.restarted = ledger.restarted;
    this.#ledger = ledger;
    this.#options = options;
    const { count } = ledger.updates;
    // Of a ledger that is cut nobody knows how it goes on.
    this.#until = options.until ?? (ledger.closing === null ? count : Infinity);
    this.done = this.#until === 0;
  }

  /** What the ledger says of a first pass that is followed to its end. */
  get progressive(): Score | null | undefined {
    const { follows } = this.#options;
    if (follows?.(1) === false) return undefined;
    const { closing, updates } = this.#ledger;
    const whole = updates.passes.length > 0 && this.#until > updates.passes[0]!.updates;
    return whole ? (closing?.progressive ?? null) : null;
  }

  begin(_: StoredBatch, { learner }: RunState): void {
    if (!this.done) this.#options.begin?.(learner);
  }

  show(batch: StoredBatch, { learner, pass, shown: position }: RunState): number {
    if (this.done) return 0;
    const { follows, omitted = Infinity } = this.#options;
    if (follows?.(pass) === false) {
      learner.record!(null);
      return learner.learn(batch);
    }
    const { updates } = this.#ledger;
    const [first, end] = updates.rangeOf(pass);
    if (this.#passed !== pass) {
      this.#passed = pass;
      this.#next = first;
    }
    const from = this.#next;
    const rows: number[] = [];
    const functions: number[] = [];
    for (; this.#next < Math.min(end, this.#until); this.#next++) {
      const u = this.#next;
      const place = updates.positions[u]! - (updates.positions[u]! > omitted ? 1 : 0);
      if (place >= position + batch.rows) break;
      rows.push(place - position);
      functions.push(functionOf(updates.raised[u]!, updates.lowered[u]!));
    }
    if (rows.length > 0 && rows[0]! < 0) throw this.#otherData(from);
    this.done = this.#next >= this.#until;
    const to = this.done ? rows.at(-1)! + 1 : batch.rows;
    return this.#follow(learner, batch, to, { rows, functions }, from);
  }

  endPass({ learner }: RunState): boolean {
    this.clocks.push(learner.progress.clock);
    if (this.#options.keeps === true) this.functionsOfPass.push(learner.functions());
    return this.done;
  }

  end({ learner }: RunState): void {
    this.clock = learner.progress.clock;
    this.functions = learner.functions();
  }

  #follow(learner: Learner, batch: StoredBatch, to: number, marks: UpdateMarks, from: number): number {
    const { rows } = marks;
    const { updates } = this.#ledger;
    let made = 0;
    let clock = learner.progress.clock;
    let at = 0;
    learner.record!((index, raised, lowered, lead, size) => {
      const u = from + made;
      const fits = index === rows[made] && raised === updates.raised[u] && lowered === updates.lowered[u];
      if (!fits || toShortFloat(lead) !== updates.leads[u]) throw this.#otherData(Math.min(u, updates.count - 1), lead);
      made++;
      if (this.#options.visit === undefined) return;
      clock = clockAfter(clock, batch, at, index);
      at = index;
      const { step, pass, row } = updateAt(this.#ledger, u + 1);
      this.#options.visit({ step, pass, row, raised, lowered, lead, size, clock, batch, index });
    });
    const shown = learner.follow!(batch, 0, to, marks);
    learner.record!(null);
    // Where the run ends early, as it may once a row is left out, later updates are none of its.
    const due = rows.filter((row) => row < shown).length;
    if (made < due) throw this.#otherData(from + made);
    this.followed += made;
    return shown;
  }

  #otherData(u: number, lead?: number): HalfspaceError {
    const { updates } = this.#ledger;
    const expected = fromShortFloat(updates.leads[u]!).toPrecision(3);
    const got = lead === undefined ? 'no update' : `one at the lead ${lead.toPrecision(3)}`;
    return new HalfspaceError(
      'ledger-invalid',
      `expected update ${u + 1} by row ${updates.rows[u]! + 1}, at the lead ${expected}; got ${got}: these are not the data that the ledger is of`,
    );
  }
}
