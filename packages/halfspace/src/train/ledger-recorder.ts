import type { DataDigest } from '../data/digest.ts';
import { numberAround } from '../data/important-rows.ts';
import { HalfspaceError } from '../errors.ts';
import { definitionOf, type RuleName, rulesWith } from '../rules/registry.ts';
import type { LedgerSink } from './ledger-sink.ts';
import type { RunObserver, RunState } from './observer.ts';
import type { TrainingResult } from './report.ts';
import type { RunExamples } from './run-examples.ts';

/** Writes the updates of a run to a ledger, with their position in the pass and the number of their example. */
export class LedgerRecorder implements RunObserver {
  readonly #sink: LedgerSink;
  readonly #examples: RunExamples;

  constructor(sink: LedgerSink, examples: RunExamples) {
    const { marginGap: _, ...plan } = examples.plan;
    this.#sink = sink;
    this.#examples = examples;
    sink.begin({ ...plan, positive: examples.positive ?? null });
  }

  update({ shown, numbers }: RunState, row: number, raised: number, lowered: number, lead: number): void {
    this.#sink.update(shown + row, this.#examples.rowOf(numbers, row), raised, lowered, lead);
  }

  endPass({ shown }: RunState): undefined {
    this.#sink.endPass(shown);
  }

  restart(): void {
    this.#sink.restart();
  }

  /** Ends the ledger after the run. @param digest of the examples as they were read. */
  async close({ report, model }: TrainingResult, { rows, text }: DataDigest): Promise<void> {
    const { classes, classExamples, updates, updatesPerPass, stop, progressive } = report;
    const found = { classes, classExamples, updates, updatesPerPass, stop, progressive };
    const { leftOut, heldOut } = this.#examples.intake;
    const without = {
      ...(leftOut.length === 0 ? {} : { leftOut: [...leftOut] }),
      ...(this.#examples.plan.holdout === 0 ? {} : { heldOut: heldOut.map((i) => numberAround(leftOut, i)) }),
    };
    this.#sink.end({ rows, digest: text, ...without, ...found, features: model.features });
    await this.#sink.flush();
  }
}

/** @throws HalfspaceError `option-invalid` for a rule whose updates cannot be recorded. */
export function checkRecordable(rule: RuleName): void {
  if (definitionOf(rule).recordable === true) return;
  throw new HalfspaceError(
    'option-invalid',
    `a ledger is for the rules ${rulesWith('recordable').join(', ')}, whose weights are sums of single updates; got the rule ${rule}`,
  );
}
