import type { StoredBatch } from '../batch.ts';
import { HalfspaceError } from '../errors.ts';
import type { Score } from '../model/metrics.ts';
import { clockAfter } from '../rules/counts.ts';
import type { LearnedFunction, Learner } from '../rules/learner.ts';
import type { UpdateMarks } from '../rules/update-log.ts';
import type { Guide } from '../train/guide.ts';
import type { RunState } from '../train/observer.ts';
import type { TrainingReport } from '../train/report.ts';
import { functionOf, type Ledger, type LedgerUpdate, updateAt } from './ledger.ts';
import { fromShortFloat, toShortFloat } from './short-float.ts';

/** An update as replay makes it; `lead` has full precision. */
export interface MadeUpdate extends LedgerUpdate {
  /** τ > 0: τ·x was added to the weights of the raised class and subtracted from those of the lowered class. */
  readonly size: number;
  /** Total importance of the examples shown before. */
  readonly clock: number;
  /** A batch, scaled as in training; the example is at `index`. */
  readonly batch: StoredBatch;
  readonly index: number;
}

interface FollowOptions {
  /** The last step to make. Default: no limit; the run goes on to its end. */
  readonly until?: number | undefined;
  /** Called after every update. */
  readonly visit?: ((update: MadeUpdate) => void) | undefined;
  /** Called with the learner before the first example. */
  readonly begin?: ((learner: Learner) => void) | undefined;
  /** True keeps the functions at the end of each pass. Default false. */
  readonly keeps?: boolean | undefined;
  /** Returns true if a pass follows the ledger, false if it looks at every example. Default: all passes follow it. */
  readonly follows?: ((pass: number) => boolean) | undefined;
  /** Position, in every pass, of an example to leave out. */
  readonly omitted?: number | undefined;
}

/**
 * Repeats the run of a ledger. Looks only at examples that made an update, and expects each update again with the same
 * lead. So data that do not belong to the ledger are detected at the first update that differs.
 */
export class LedgerGuide implements Guide {
  readonly restarted: boolean;
  done = false;
  /** Number of updates repeated from the ledger. */
  followed = 0;
  /** Total importance of the examples shown by the end of each pass. */
  readonly clocks: number[] = [];
  clock = 0;
  /** The functions at the end. */
  functions: readonly LearnedFunction[] = [];
  /** The functions at the end of each pass, if `keeps` is true. */
  readonly functionsOfPass: (readonly LearnedFunction[])[] = [];
  readonly #ledger: Ledger;
  readonly #options: FollowOptions;
  readonly #until: number;
  /** Index of the next update. */
  #next = 0;
  #passed = 0;

  constructor(ledger: Ledger, options: FollowOptions = {}) {
    this.restarted = ledger.restarted;
    this.#ledger = ledger;
    this.#options = options;
    const { count } = ledger.updates;
    // A truncated ledger does not say how the run continues.
    this.#until = options.until ?? (ledger.closing === null ? count : Infinity);
    this.done = this.#until === 0;
  }

  /** Progressive score of the first pass, from the ledger. Undefined: the pass does not follow it; null: not known. */
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

  /** Returns the state after the pass that gave the model; early stopping goes on beyond the best pass. */
  endOf({ best, passes }: TrainingReport): { last: number; clock: number; functions: readonly LearnedFunction[] } {
    const { clock, functions } = this;
    // At the last pass, the mean may have been settled.
    if (best === null || best.pass === passes) return { last: Infinity, clock, functions };
    const pass = best.pass - 1;
    return { last: best.pass, clock: this.clocks[pass]!, functions: this.functionsOfPass[pass] ?? functions };
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
    // Without one row the run may end earlier; later updates are then not due.
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
      `expected update ${u + 1} by row ${updates.rows[u]! + 1}, at the lead ${expected}; got ${got}: the data are not those of the ledger`,
    );
  }
}
