import {
  type Alarm,
  type Columns,
  type Model,
  type ModelClient,
  ServiceError,
  type State,
} from 'halfspace-server/client';
import type { ClassWeights, CurvePoint, ShadowFigures, ShownModel } from '../service/types.ts';

type Strongest = Pick<ClassWeights, 'class' | 'strongest'>;

/** Number of readings that are kept. */
const length = 40;

/** The latest readings of the strongest weights. */
export class WeightHistory {
  readonly #readings: readonly (readonly Strongest[])[];
  readonly #sequence: number;

  constructor(readings: readonly (readonly Strongest[])[] = [], sequence = -1) {
    this.#readings = readings;
    this.#sequence = sequence;
  }

  /** Returns a history with another reading. One at the same sequence number replaces the last. */
  with(sequence: number, functions: readonly Strongest[]): WeightHistory {
    const before = sequence === this.#sequence ? this.#readings.slice(0, -1) : this.#readings;
    return new WeightHistory([...before, functions].slice(-length), sequence);
  }

  /** Returns the weights of a feature, the last one now. They begin after the latest reading without it. */
  of(className: string, feature: string): number[] {
    const values = this.#readings.map((functions) => {
      const own = functions.find((each) => each.class === className);
      return own?.strongest.find((each) => each.feature === feature)?.weight;
    });
    const last = values.lastIndexOf(undefined);
    return values.slice(last + 1) as number[];
  }
}

/** Number of points from which every second one goes. */
const mostPoints = 1200;

/** Returns points with another one at the end; of a number of examples that is known, the later one stays. */
export function addPoint(points: readonly CurvePoint[], point: CurvePoint): readonly CurvePoint[] {
  const earlier = points.filter(({ examples }) => examples < point.examples);
  const kept = earlier.length < mostPoints ? earlier : earlier.filter((_, k) => k % 2 === 0);
  return [...kept, point];
}

/** Least time in milliseconds from one reading of the weights to the next; at least 20 times what a reading takes. */
const leastWeightsMs = 1500;
/** Time in milliseconds from one reading of the columns of a model that learns to the next; fields and levels join. */
const columnsMs = 15_000;
/** With more classes, only the weights of the chosen class are read. */
const mostClasses = 20;
/** Number of weights of a class that are read. */
const strongest = 12;
const longestPauseMs = 15_000;

/** The model that the page shows, kept up to date by its events. */
export class Followed {
  readonly name: string;
  readonly kind: Model['kind'];
  model: ShownModel = $state.raw() as ShownModel;
  points: readonly CurvePoint[] = $state.raw([]);
  alarms: readonly Alarm[] = $state.raw([]);
  /** Null: there is none. */
  shadow: ShadowFigures | null = $state.raw(null);
  /** Errors of the shadow, over the examples of the model. */
  shadowPoints: readonly CurvePoint[] = $state.raw([]);
  /** Null: not read yet. */
  weights: readonly ClassWeights[] | null = $state.raw(null);
  /** True if the model is of a kind without weights. */
  hasNoWeights = $state(false);
  /** The class whose weights are shown; null: the first one. */
  chosenClass: string | null = $state(null);
  history: WeightHistory = $state.raw(new WeightHistory());
  columns: Columns | null = $state.raw(null);
  /** True while events come. */
  isLive = $state(false);
  readonly #client: ModelClient;
  readonly #onRetired: () => void;
  #events = new AbortController();
  #weightsAt = 0;
  #weightsMs = leastWeightsMs;
  #weightsTimer = 0;
  #columnsAt = 0;
  #hasEnded = false;
  /** Begin of the shadow whose errors are kept; null: none. */
  #shadowSince: number | null = null;

  /** The weights of the class that is shown; null before they are read. */
  get shown(): ClassWeights | null {
    return this.weights?.find((each) => each.class === this.chosenClass) ?? this.weights?.[0] ?? null;
  }

  /** @param onRetired called when the model is no longer in service. */
  constructor(client: ModelClient, model: Model, onRetired: () => void) {
    this.#client = client;
    this.name = model.name;
    this.kind = model.kind;
    this.model = model;
    this.#onRetired = onRetired;
    void this.#readColumns();
    this.#readWeightsSoon();
    if (model.kind === 'learning') void this.#follow(this.#events);
  }

  /** Takes what the list of models says, which has more than events. */
  refresh(model: Model): void {
    const isNew = model.version.digest !== this.model.version.digest;
    // Without events, as when the service has no room for another reader, the list makes the curve.
    if (this.kind === 'learning' && !this.isLive && isNew) this.#take(model);
    if (model.version.sequence >= this.model.version.sequence || this.kind === 'frozen') this.model = model;
    if (isNew && (this.kind === 'frozen' || this.columns?.columns.length === 0)) void this.#readColumns();
    if (isNew) this.#readWeightsSoon();
  }

  /** Stops reading events while nobody sees the page: a browser opens few connections to one service. */
  setVisible(isVisible: boolean): void {
    if (this.kind !== 'learning') return;
    this.#events.abort();
    if (!isVisible) return;
    this.#events = new AbortController();
    void this.#follow(this.#events);
  }

  /** Shows the weights of a class. */
  choose(name: string): void {
    this.chosenClass = name;
    this.#weightsMs = 0;
    this.#readWeightsSoon();
  }

  end(): void {
    this.#events.abort();
    this.#hasEnded = true;
    clearTimeout(this.#weightsTimer);
  }

  async #follow({ signal }: AbortController): Promise<void> {
    for (let pause = 500; !signal.aborted; pause = Math.min(2 * pause, longestPauseMs)) {
      try {
        const [{ points, shadow }, { alarms }] = await Promise.all([
          this.#client.curve({ signal }),
          this.#client.watch({ signal }),
        ]);
        this.points = points;
        this.shadowPoints = shadow?.points ?? [];
        this.#shadowSince = shadow?.since ?? null;
        // It may have been dropped meanwhile.
        this.shadow = shadow === null ? null : await this.#client.shadow({ signal }).catch(() => null);
        this.alarms = alarms;
        for await (const { type, data } of this.#client.events({ signal })) {
          this.isLive = true;
          pause = 500;
          if (type === 'state') {
            this.#take(data);
            this.#takeShadow(data);
          } else if (type === 'alarm') this.#addAlarm(data);
          else return this.#onRetired();
        }
      } catch (error) {
        // A key that is refused is told by the list of models.
        if (error instanceof ServiceError && error.status >= 400 && error.status < 500) return this.#onRetired();
      } finally {
        this.isLive = false;
      }
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  #take({ version, examples, fault, metrics }: Pick<State, 'version' | 'examples' | 'fault' | 'metrics'>): void {
    // A model of this name that was replaced begins anew.
    if (version.sequence < this.model.version.sequence) {
      this.points = [];
      this.alarms = [];
      this.history = new WeightHistory();
      void this.#readColumns();
    }
    const isNew = version.digest !== this.model.version.digest;
    const { classes } = metrics ?? this.model;
    this.model = { ...this.model, version, examples, fault, metrics, classes };
    this.points = withPoint(this.points, examples, metrics);
    if (isNew) this.#readWeightsSoon();
  }

  #takeShadow({ examples, shadow }: State): void {
    const since = shadow?.since ?? null;
    if (since !== this.#shadowSince) this.shadowPoints = [];
    this.#shadowSince = since;
    this.shadow = shadow;
    this.shadowPoints = withPoint(this.shadowPoints, examples, shadow?.metrics ?? null);
  }

  #addAlarm(alarm: Alarm): void {
    const isKnown = this.alarms.some(
      (each) =>
        each.sequence === alarm.sequence &&
        each.of === alarm.of &&
        each.input === alarm.input &&
        each.detector === alarm.detector,
    );
    if (!isKnown) this.alarms = [...this.alarms, alarm].slice(-32);
  }

  #readWeightsSoon(): void {
    if (this.#weightsTimer !== 0 || this.#hasEnded) return;
    const wait = Math.max(0, this.#weightsAt + this.#weightsMs - performance.now());
    this.#weightsTimer = window.setTimeout(() => void this.#readWeights(), wait);
  }

  async #readWeights(): Promise<void> {
    this.#weightsAt = performance.now();
    const { digest } = this.model.version;
    try {
      const { classes } = this.model;
      const of = classes.length > mostClasses ? (this.chosenClass ?? classes[0]) : undefined;
      const { functions, version } = await this.#client.weights({ top: strongest, of });
      this.#weightsMs = Math.max(leastWeightsMs, 20 * (performance.now() - this.#weightsAt));
      this.hasNoWeights = false;
      this.weights = functions;
      this.history = this.history.with(version.sequence, functions);
      const isDue = performance.now() - this.#columnsAt > columnsMs || this.columns?.columns.length === 0;
      if (this.kind === 'learning' && isDue) await this.#readColumns();
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'weights-missing') {
        this.hasNoWeights = true;
        this.weights = [];
      }
    } finally {
      this.#weightsTimer = 0;
    }
    // A change that came meanwhile did not ask again.
    if (digest !== this.model.version.digest) this.#readWeightsSoon();
  }

  async #readColumns(): Promise<void> {
    this.#columnsAt = performance.now();
    try {
      const columns = await this.#client.columns();
      // Fields that stay the same keep what was typed.
      if (formOf(columns) !== formOf(this.columns)) this.columns = columns;
    } catch {
      // The list of models tells what is wrong.
    }
  }
}

/** Returns a curve with the errors of now; without answers it stays. */
function withPoint(points: readonly CurvePoint[], examples: number, metrics: State['metrics']): readonly CurvePoint[] {
  if (metrics === null || metrics.accuracy === null || metrics.window.accuracy === null) return points;
  return addPoint(points, { examples, error: 1 - metrics.accuracy, latestError: 1 - metrics.window.accuracy });
}

/** Returns what of the columns makes the form: means move with every example. */
function formOf(columns: Columns | null): string {
  return JSON.stringify(columns, (name, value) => (name === 'version' || name === 'mean' ? undefined : value));
}
