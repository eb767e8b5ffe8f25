/* Answers of the service, as `/openapi.json` describes them, with the members that the page reads. */

export interface Version {
  readonly sequence: number;
  readonly digest: string;
}

export interface Figures {
  readonly rows: number;
  readonly accuracy: number | null;
  readonly logLoss: number | null;
}

export interface Metrics extends Figures {
  readonly window: Figures;
}

export interface Model {
  readonly name: string;
  readonly kind: 'frozen' | 'learning';
  readonly version: Version;
  readonly rule: string;
  readonly label: string | null;
  readonly classes: readonly string[];
  readonly examples: number;
  readonly fault: string | null;
  readonly metrics: Metrics | null;
}

export interface CurvePoint {
  readonly examples: number;
  readonly error: number;
  readonly latestError: number;
}

export interface Alarm {
  readonly sequence: number;
  readonly examples: number;
  readonly of: 'error' | 'input';
  readonly input: string | null;
  readonly detector: 'adwin' | 'page-hinkley';
  readonly before: number;
  readonly after: number;
}

/** The event `state` of a model. */
export interface State {
  readonly version: Version;
  readonly examples: number;
  readonly fault: string | null;
  readonly metrics: Metrics | null;
}

export interface ClassWeights {
  readonly class: string;
  readonly against: string | null;
  readonly bias: number;
  readonly nonzero: number;
  readonly strongest: readonly { readonly feature: string; readonly weight: number }[];
}

export interface Column {
  readonly name: string;
  readonly kind: 'number' | 'category' | 'text' | 'date' | 'boolean';
  readonly mean?: number;
  readonly format?: string;
  readonly levels?: readonly string[];
  readonly otherLevels?: number;
}

export interface Columns {
  readonly rows: 'records' | 'numbers' | 'unknown';
  readonly probabilities: boolean;
  readonly columns: readonly Column[];
}

export interface Prediction {
  readonly version: Version;
  readonly class: string | null;
  readonly scores: readonly number[];
  readonly probabilities?: readonly number[];
  readonly id?: string;
}

export interface Explanation {
  readonly class: string;
  readonly score: number;
  readonly meanScore: number;
  readonly isMean: boolean;
  readonly terms: readonly {
    readonly term: string;
    readonly value: string | number | boolean | null;
    readonly contribution: number;
  }[];
  readonly otherTerms: number;
  readonly others: number;
}

export interface Learned {
  readonly sequence: number;
  readonly answer: { readonly class: string | null; readonly right: boolean | null } | null;
}
