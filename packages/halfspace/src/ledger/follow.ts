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

/** An update as the replay makes it; `lead` with all its digits. */
export interface MadeUpdate extends LedgerUpdate {
  /** τ > 0: τ·x was added to the weights of the raised class and subtracted from those of the lowered one. */
  readonly size: number;
  /** Importance shown before. */
  readonly clock: number;
  /** The example is at `index` of this batch of x as learned from: divided already, where the run divides. */
  readonly batch: StoredBatch;
  readonly index: number;
}

export interface FollowOptions {
  /** The last step to make. Default: all, and then the run goes on to its end. */
  readonly until?: number | undefined;
  /** Called after every update. */
  readonly visit?: ((update: MadeUpdate) => void) | undefined;
  /** Called with the learner before the first example. */
  readonly begin?: ((learner: Learner) => void) | undefined;
  /** Whether to keep the functions at the end of each pass. Default false. */
  readonly keeps?: boolean | undefined;
  /** Whether a pass follows the ledger; else every example is looked at. Default: all passes do. */
  readonly follows?: ((pass: number) => boolean) | undefined;
  /** Place, in every pass, of an example that is left out. */
  readonly omitted?: number | undefined;
}

/**
 * Repeats the run of a ledger: looks only at examples that made an update, and expects each to make it again with the
 * same lead. So other data than those of the ledger are noticed at the first update that differs.
 */
export class LedgerGuide implements Guide {
  readonly restarted: boolean;
  done = false;
  /** Number of updates made as in the ledger. */
  followed = 0;
  /** Importance shown by the end of each pass, and at the end. */
  readonly clocks: number[] = [];
  clock = 0;
  /** The functions at the end. */
  functions: readonly LearnedFunction[] = [];
  /** The functions at the end of each pass, where `keeps` asks for them. */
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
    // A ledger that is cut does not say how the run goes on.
    this.#until = options.until ?? (ledger.closing === null ? count : Infinity);
    this.done = this.#until === 0;
  }

  /** The ledger's score of a first pass that is followed to its end. */
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

  /**
   * The end of the run by which the model of its report answers. Early stopping goes on for some passes after the one
   * whose weights it keeps.
   */
  endOf({ best }: TrainingReport): { last: number; clock: number; functions: readonly LearnedFunction[] } {
    const { clock, functions } = this;
    if (best === null) return { last: Infinity, clock, functions };
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
    // A run without a row may end early; then it does not make the later updates.
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
