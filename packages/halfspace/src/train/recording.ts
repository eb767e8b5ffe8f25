import type { DataDigest } from '../data/digest.ts';
import { numberAround } from '../data/important-rows.ts';
import { HoldoutSplit } from '../data/split.ts';
import { HalfspaceError } from '../errors.ts';
import type { Learner } from '../rules/learner.ts';
import { definitionOf, type RuleName, rulesWith } from '../rules/registry.ts';
import type { Intake } from './intake.ts';
import type { LedgerSink } from './ledger-sink.ts';
import type { StoreNumbers } from './order.ts';
import type { TrainPlan } from './plan.ts';
import type { TrainingResult } from './report.ts';

/** Tells a ledger of a run's updates, each with its place in the pass and the number that its example has in the data. */
export class Recording {
  readonly sink: LedgerSink;
  readonly #intake: Intake;
  readonly #rows: RowNumbers;
  #position = 0;
  #numbers: StoreNumbers = 0;

  /** @throws HalfspaceError `option-invalid` for a rule whose updates cannot be recorded. */
  constructor(sink: LedgerSink, plan: TrainPlan, intake: Intake, positive: string | undefined) {
    const { as, variant, ruleOptions, multiclass, classWeights, patience, seed, holdout } = plan;
    checkRecordable(variant.rule);
    this.sink = sink;
    this.#intake = intake;
    this.#rows = new RowNumbers(holdout > 0 ? new HoldoutSplit(holdout, seed) : null, intake.leftOut);
    const choices = { multiclass, classWeights, patience, seed, holdout, positive: positive ?? null };
    sink.begin({ as, variant, ruleOptions, ...choices });
  }

  /** From now on the updates of this learner are told. */
  attach(learner: Learner): void {
    learner.record!((row, raised, lowered, lead) => {
      const stored = typeof this.#numbers === 'number' ? this.#numbers + row : this.#numbers[row]!;
      const number = this.#rows.of(this.#intake.numberOf(stored));
      this.sink.update(this.#position + row, number, raised, lowered, lead);
    });
  }

  /** A batch is about to be shown, after `position` examples of this pass. @param numbers of its examples in the store. */
  aim(position: number, numbers: StoreNumbers): void {
    this.#position = position;
    this.#numbers = numbers;
  }

  /** The run is over. @param digest of the examples as they were read. */
  async close({ report, model }: TrainingResult, { rows, text }: DataDigest): Promise<void> {
    const { classes, classExamples, updates, updatesPerPass, stop, progressive } = report;
    const found = { classes, classExamples, updates, updatesPerPass, stop, progressive };
    const leftOut = this.#intake.leftOut.length === 0 ? {} : { leftOut: [...this.#intake.leftOut] };
    this.sink.end({ rows, digest: text, ...leftOut, ...found, features: model.features });
    await this.sink.flush();
  }
}

/** Refuses rules of which no ledger can be kept. @throws HalfspaceError `option-invalid`. */
export function checkRecordable(rule: RuleName): void {
  if (definitionOf(rule).recordable === true) return;
  throw new HalfspaceError(
    'option-invalid',
    `a ledger is for the rules ${rulesWith('recordable').join(', ')}, whose weights are sums of single updates; got the rule ${rule}`,
  );
}

/** The numbers in the data, from 0, of the examples to learn from. */
export class RowNumbers {
  readonly #split: HoldoutSplit | null;
  readonly #leftOut: readonly number[];
  readonly #kept: number[] = [];
  #drawn = 0;

  /**
   * @param split at its first example; null: none is held out.
   * @param leftOut numbers in the data of the rows that are no examples, rising; it may grow as data are read.
   */
  constructor(split: HoldoutSplit | null, leftOut: readonly number[]) {
    this.#split = split;
    this.#leftOut = leftOut;
  }

  /** The number in the data of example `position` of those to learn from. */
  of(position: number): number {
    return numberAround(this.#leftOut, this.#split === null ? position : this.#exampleOf(position, this.#split));
  }

  /** The number, among all examples, of example `position` of those to learn from. */
  #exampleOf(position: number, split: HoldoutSplit): number {
    for (; this.#kept.length <= position; this.#drawn++) if (!split.next()) this.#kept.push(this.#drawn);
    return this.#kept[position]!;
  }
}
