import { HalfspaceError, type Label, type OnlineClassifier, type PrequentialResult, type RawRow } from 'halfspace';
import { list, members, number, whole } from 'halfspace/checks';
import { mcNemarTest } from 'halfspace/metrics';
import { digestOf } from './chain.ts';
import { rowJson } from './example-record.ts';

/** A shadow beside its model; plain data. */
export interface ShadowReport {
  /** Position in the journal of the record that began it, or brought it out of service. */
  readonly since: number;
  readonly rule: string;
  /** Share of the answers that it gives, in [0, 1]. */
  readonly share: number;
  readonly classes: readonly string[];
  /** Number of rows that it learned from. */
  readonly examples: number;
  /** Number of examples that the model learned from and the shadow could not. */
  readonly refused: number;
  /** Figures of its answers before learning. */
  readonly metrics: PrequentialResult;
  /** Numbers of examples since then that both answered, by who was right. */
  readonly compared: {
    readonly bothRight: number;
    readonly onlyModel: number;
    readonly onlyShadow: number;
    readonly bothWrong: number;
    /** Probability of a difference at least as large if both are right equally often, by McNemar's test. */
    readonly pValue: number;
  };
}

export interface ShadowState {
  readonly since: number;
  /** Absent: 0. */
  readonly share?: number;
  readonly refused: number;
  /** Numbers of examples: both right, only the model, only the shadow, both wrong. */
  readonly compared: readonly number[];
}

/** A second learner, which sees the examples that the model learns, and the comparison of both. */
export class Shadow {
  readonly classifier: OnlineClassifier;
  readonly #since: number;
  /** Share of the answers that it gives, in [0, 1]. */
  share = 0;
  #refused = 0;
  /** As {@link ShadowState.compared}. */
  #compared = [0, 0, 0, 0];

  constructor(classifier: OnlineClassifier, since: number) {
    this.classifier = classifier;
    this.#since = since;
  }

  /** Learns from an example that the model learned from. @param right true if the model's answer was right. */
  learn(row: RawRow, label: Label, importance: number, right: boolean | null): void {
    try {
      const answer = this.classifier.learn(row, label, { importance });
      if (answer.right !== null && right !== null) this.#compared[(answer.right ? 0 : 1) + (right ? 0 : 2)]!++;
    } catch (error) {
      if (!(error instanceof HalfspaceError)) throw error;
      this.#refused++;
    }
  }

  /** Tells if it answers a row: the same row always gets the same learner, while the share stays. */
  answers(row: RawRow): boolean {
    if (this.share === 0 || this.classifier.classes.length === 0) return false;
    const { names, json } = rowJson(row);
    return Number.parseInt(digestOf(`${names}${json}`).slice(0, 8), 16) < this.share * 2 ** 32;
  }

  get report(): ShadowReport {
    const { rule, classes, examples, metrics } = this.classifier;
    const [bothRight, onlyModel, onlyShadow, bothWrong] = this.#compared as [number, number, number, number];
    const { pValue } = mcNemarTest(onlyModel, onlyShadow);
    const compared = { bothRight, onlyModel, onlyShadow, bothWrong, pValue };
    return {
      since: this.#since,
      rule,
      share: this.share,
      classes,
      examples,
      refused: this.#refused,
      metrics,
      compared,
    };
  }

  state(): ShadowState {
    const share = this.share === 0 ? {} : { share: this.share };
    return { since: this.#since, ...share, refused: this.#refused, compared: [...this.#compared] };
  }

  /** @param state result of {@link state}, of the same classifier. @throws HalfspaceError `model-invalid`. */
  static from(state: unknown, classifier: OnlineClassifier): Shadow {
    const value = members(state, 'shadow', ['since', 'refused', 'compared'], ['share']);
    const shadow = new Shadow(classifier, whole(value.since, 'shadow.since'));
    shadow.share = number(value.share ?? 0, 'shadow.share', 0, 1);
    shadow.#refused = whole(value.refused, 'shadow.refused');
    const compared = list(value.compared, 'shadow.compared', 4);
    shadow.#compared = [0, 1, 2, 3].map((k) => whole(compared[k], 'shadow.compared'));
    return shadow;
  }
}
