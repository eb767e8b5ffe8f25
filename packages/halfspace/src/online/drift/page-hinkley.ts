import { HalfspaceError, quote } from '../../errors.ts';
import { checkOptionNames } from '../../features/option-names.ts';
import { type Members, number, oneOf, whole } from '../../json.ts';
import { completeOptions, type GivenOptions, type OptionSpecs } from '../../rules/rule-options.ts';
import { type DriftDetector, type DriftDirection, directionOption } from './detector.ts';

/*
 * Page–Hinkley test.
 *
 *   rise:  Uₜ = α·Uₜ₋₁ + xₜ − x̄ₜ − δ,   alarm if Uₜ − min Uᵢ > λ
 *   fall:  Vₜ = α·Vₜ₋₁ + xₜ − x̄ₜ + δ,   alarm if max Vᵢ − Vₜ > λ
 *
 * xₜ: values; x̄ₜ: mean of x₁ … xₜ; δ: changes of the mean below it are tolerated; λ: threshold; α: forgetting.
 * Sources: Page, "Continuous inspection schemes", Biometrika 41, 1954, section 4; Hinkley, "Inference about the
 * change-point from cumulative sum tests", Biometrika 58, 1971; with α as in Gama, Sebastião & Rodrigues, "On
 * evaluating stream learning algorithms", Machine Learning 90, 2013, section 4. After an alarm the test starts anew.
 */

/** Largest size of a value, so that no sum of 2⁵³ values overflows. */
const largestValue = 1e200;

const pageHinkleyOptions = {
  delta: { kind: 'number', from: 0, default: 0.005, about: 'change of the mean that is tolerated' },
  threshold: { kind: 'number', from: 0, open: 'from', default: 50, about: 'cumulated deviation that gives an alarm' },
  burnIn: {
    kind: 'number',
    whole: true,
    from: 1,
    default: 30,
    about: 'number of values before the first alarm',
  },
  alpha: { kind: 'number', from: 0, to: 1, open: 'from', default: 0.9999, about: 'forgetting of older deviations' },
  ...directionOption,
} as const satisfies OptionSpecs;

/**
 * `delta` from 0, default 0.005; `threshold` above 0, default 50; `burnIn` from 1, default 30; `alpha` in (0, 1],
 * default 0.9999, 1 forgets nothing; `direction`, default `rise`.
 */
export type PageHinkleyOptions = GivenOptions<typeof pageHinkleyOptions>;

/** The state of {@link PageHinkley}; the sums are those of the head of this file, since the start or the last alarm. */
interface PageHinkleyState {
  readonly name: 'page-hinkley';
  readonly delta: number;
  readonly threshold: number;
  readonly burnIn: number;
  readonly alpha: number;
  readonly direction: DriftDirection;
  readonly values: number;
  readonly total: number;
  readonly rise: number;
  readonly least: number;
  readonly fall: number;
  readonly most: number;
}

/** Page–Hinkley test for finite values; see the head of this file. */
export class PageHinkley implements DriftDetector {
  readonly name = 'page-hinkley';
  readonly #delta: number;
  readonly #threshold: number;
  readonly #burnIn: number;
  readonly #alpha: number;
  readonly #direction: DriftDirection;
  #values = 0;
  #total = 0;
  /** U and its minimum. */
  #rise = 0;
  #least = 0;
  /** V and its maximum. */
  #fall = 0;
  #most = 0;

  /** @throws HalfspaceError `option-invalid`. */
  constructor(options: PageHinkleyOptions = {}) {
    checkOptionNames(options, Object.keys(pageHinkleyOptions), 'the Page–Hinkley test');
    const complete = completeOptions(pageHinkleyOptions, options);
    this.#delta = complete.delta as number;
    this.#threshold = complete.threshold as number;
    this.#burnIn = complete.burnIn as number;
    this.#alpha = complete.alpha as number;
    this.#direction = complete.direction as DriftDirection;
  }

  /** @throws HalfspaceError `model-invalid` for anything else than a state of this class. */
  static from(value: Members): PageHinkley {
    const detector = new PageHinkley({
      delta: number(value.delta, 'delta', 0),
      threshold: number(value.threshold, 'threshold', Number.MIN_VALUE),
      burnIn: whole(value.burnIn, 'burnIn', 1),
      alpha: number(value.alpha, 'alpha', Number.MIN_VALUE, 1),
      direction: oneOf(value.direction, 'direction', directionOption.direction.values),
    });
    const most = 1e300;
    detector.#values = whole(value.values, 'values');
    detector.#total = number(value.total, 'total', -most, most);
    detector.#rise = number(value.rise, 'rise', -most, most);
    detector.#least = number(value.least, 'least', -most, detector.#rise);
    detector.#fall = number(value.fall, 'fall', -most, most);
    detector.#most = number(value.most, 'most', detector.#fall, most);
    return detector;
  }

  /** @param value in [−10²⁰⁰, 10²⁰⁰]. */
  update(value: number): boolean {
    if (!(Math.abs(value) <= largestValue))
      throw new HalfspaceError(
        'number-invalid',
        `expected a value in [-${largestValue}, ${largestValue}] for the Page–Hinkley test; got ${quote(value)}`,
      );
    this.#values++;
    this.#total += value;
    const deviation = value - this.#total / this.#values;
    this.#rise = this.#alpha * this.#rise + deviation - this.#delta;
    this.#fall = this.#alpha * this.#fall + deviation + this.#delta;
    const isFirst = this.#values === 1;
    if (isFirst || this.#rise < this.#least) this.#least = this.#rise;
    if (isFirst || this.#fall > this.#most) this.#most = this.#fall;
    if (this.#values < this.#burnIn) return false;
    const rose = this.#direction !== 'fall' && this.#rise - this.#least > this.#threshold;
    const fell = this.#direction !== 'rise' && this.#most - this.#fall > this.#threshold;
    if (rose || fell) this.#restart();
    return rose || fell;
  }

  state(): PageHinkleyState {
    return {
      name: this.name,
      delta: this.#delta,
      threshold: this.#threshold,
      burnIn: this.#burnIn,
      alpha: this.#alpha,
      direction: this.#direction,
      values: this.#values,
      total: this.#total,
      rise: this.#rise,
      least: this.#least,
      fall: this.#fall,
      most: this.#most,
    };
  }

  #restart(): void {
    this.#values = 0;
    this.#total = 0;
    this.#rise = 0;
    this.#least = 0;
    this.#fall = 0;
    this.#most = 0;
  }
}
