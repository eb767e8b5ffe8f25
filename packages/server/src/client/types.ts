/*
 * Requests and answers of the service, as `/openapi.json` describes them. A test compares both.
 */

/** The state that gave an answer. Equal versions give equal bits. */
export interface Version {
  /** Number of records in the journal; 0 for a model that does not learn. */
  readonly sequence: number;
  /** 32 hexadecimal digits. */
  readonly digest: string;
}

/** An error answer (RFC 9457). */
export interface Problem {
  readonly type: string;
  /** The phrase of the status. */
  readonly title: string;
  /** Status of HTTP; 0 if there was no answer. */
  readonly status: number;
  /** For people: "expected …; got …". */
  readonly detail: string;
  /** For programs: a stable name of the kind of error. */
  readonly code: string;
  /** The place in what was sent; rows count from 1. */
  readonly where?: Readonly<Record<string, unknown>>;
  /** Name of the request in the log of the service. */
  readonly request?: string;
}

/**
 * A row that has no type of its own, as the `RawRow` of halfspace: fields by name, also of an interface or a class; a
 * list of numbers, or a sparse list of numbers.
 */
export type AnyRow =
  | Readonly<Record<string, unknown>>
  | (object & {
      readonly [Symbol.iterator]?: undefined;
      readonly [Symbol.toStringTag]?: undefined;
      readonly [Symbol.toPrimitive]?: undefined;
      readonly [Symbol.hasInstance]?: undefined;
    })
  | ArrayLike<number>
  | { readonly indices: ArrayLike<number>; readonly values: ArrayLike<number> };

/** The class of an example: its name, number or truth. */
export type Label = string | number | boolean;

/** A row with its label. */
export interface Example<Row extends object = AnyRow, L extends Label = Label> {
  readonly row: Row;
  readonly label: L;
  /** At least 0. Default 1. */
  readonly importance?: number | undefined;
  /** 1 to 128 characters: of the latest examples, one with the same id is not learned twice. */
  readonly id?: string | undefined;
}

export interface Predicted<L extends Label = Label> {
  /** Of the type of the labels; null before a learning model knows a class. */
  readonly class: L | null;
  /** One score for two classes, above 0 for the second; else one for each class. */
  readonly scores: readonly number[];
  /** In the order of the classes; null before they are known; only if asked for. */
  readonly probabilities?: readonly number[] | null;
  /** Name of the answer, for its label; only if the row was to be remembered. */
  readonly id?: string;
  /**
   * Fields of the row, or indices, that the model does not know, which count nothing; empty for a row without fields.
   * Absent if the model knows all.
   */
  readonly unknown?: readonly string[];
}

export interface Prediction<L extends Label = Label> extends Predicted<L> {
  readonly version: Version;
}

export interface Predictions<L extends Label = Label> {
  readonly version: Version;
  /** In the order of the rows. */
  readonly predictions: readonly Predicted<L>[];
}

export interface Outcome<L extends Label = Label> {
  /** Position of the example in the journal, from 1. */
  readonly sequence: number;
  /** True: an earlier example had this id, and nothing was learned now. */
  readonly duplicate: boolean;
  /** The answer before the example was learned; null for a duplicate. */
  readonly answer: {
    readonly class: L | null;
    readonly right: boolean | null;
    /** True if a drift detector gave an alarm. */
    readonly drift: boolean;
  } | null;
}

export interface Learned<L extends Label = Label> extends Outcome<L> {
  readonly version: Version;
}

/** A row or an example that was refused. */
export interface Refused {
  readonly problem: Problem;
}

export interface LearnedMany<L extends Label = Label> {
  readonly version: Version;
  /** In the order of the examples. A refused example changes nothing. */
  readonly outcomes: readonly (Outcome<L> | Refused)[];
}

/** A score as a sum: `meanScore` + contributions of `terms` + `others` + `rounding`. */
export interface Explanation {
  readonly version: Version;
  /** The class whose score is explained. */
  readonly class: string;
  readonly score: number;
  /** Score of the mean row. */
  readonly meanScore: number;
  /** True if the mean row is that of all training rows. */
  readonly isMean: boolean;
  /** The strongest terms, by descending absolute contribution. */
  readonly terms: readonly {
    readonly term: string;
    readonly value: string | number | boolean | null;
    readonly contribution: number;
  }[];
  /** Number of further terms that are not 0. */
  readonly otherTerms: number;
  /** Sum of the further terms. */
  readonly others: number;
  /** The rounding error. */
  readonly rounding: number;
  /** Fields of the row, or indices, that the model does not know, which count nothing. */
  readonly unknown: readonly string[];
}

/** Figures of answers before learning, weighted by importance. Null: no row told it yet. */
export interface Summary {
  readonly rows: number;
  readonly weight: number;
  readonly accuracy: number | null;
  readonly balancedAccuracy: number | null;
  readonly kappa: number | null;
  readonly logLoss: number | null;
  /** Accuracy of always predicting the most frequent class so far. */
  readonly majority: number | null;
}

/** Figures over all rows, and over the latest ones. */
export interface Course extends Summary {
  readonly window: Summary;
  readonly classes: readonly string[];
}

export interface Figures extends Course {
  /** `confusion[i][j]`: importance of the rows of class i that were predicted as j. Null beyond 1,024 classes. */
  readonly confusion: readonly (readonly number[])[] | null;
}

export interface Model {
  readonly name: string;
  readonly kind: 'frozen' | 'learning';
  readonly version: Version;
  /** Name of the update rule. */
  readonly rule: string;
  /** The rules that `follow-the-leader` compares, by their recent mistakes; none for another rule. */
  readonly members: readonly {
    readonly rule: string;
    readonly options: Readonly<Record<string, unknown>>;
    readonly mistakes: number;
    readonly answers: boolean;
  }[];
  /** Name of the column with the class. */
  readonly label: string | null;
  /** In the order of scores. */
  readonly classes: readonly string[];
  /** A kind is decided if no further row can show another one. */
  readonly columns: readonly { readonly name: string; readonly kind: string; readonly decided: boolean }[];
  /** Notes on columns whose kind may not be what was meant. */
  readonly notes: readonly string[];
  /** Number of rows that it learned from. */
  readonly examples: number;
  /** Tells why it takes no examples for now. */
  readonly fault: string | null;
  /** Null for a frozen model. */
  readonly metrics: Figures | null;
}

export interface Models {
  /** By name. */
  readonly models: readonly Model[];
}

/** The strongest weights of a model. */
export interface Weights {
  readonly version: Version;
  /** One for two classes, else one for each class; none before two classes are known. */
  readonly functions: readonly {
    /** The class that weights above 0 support. */
    readonly class: string;
    /** The other one of two classes; null: all others. */
    readonly against: string | null;
    /** The part of a score that all rows have. */
    readonly bias: number;
    /** Number of weights that are not 0. */
    readonly nonzero: number;
    /** By descending absolute weight. */
    readonly strongest: readonly { readonly feature: string; readonly weight: number }[];
  }[];
}

/** The columns that a row may have. */
export interface Columns {
  readonly version: Version;
  /** Rows are objects of fields, or numbers; unknown before a row was learned. */
  readonly rows: 'records' | 'numbers' | 'unknown';
  /** True if answers have probabilities when they are asked for. */
  readonly probabilities: boolean;
  readonly columns: readonly {
    readonly name: string;
    readonly kind: string;
    /** Mean of the present values: of a date in days since 1970, of a truth the share of true. */
    readonly mean?: number;
    /** The form of dates. */
    readonly format?: string;
    /** The mark between the values of a set; absent: only lists have several. */
    readonly separator?: string;
    /** Known levels of a category or a set, at most 100. */
    readonly levels?: readonly string[];
    readonly otherLevels?: number;
  }[];
}

/** The course of the errors of a stream. */
export interface Curve {
  readonly version: Version;
  /** At most 401, at about equal distances; the last one is of now. */
  readonly points: readonly CurvePoint[];
  /** The errors of the shadow, over the examples of the model; null: there is none. */
  readonly shadow: {
    /** Position in the journal of the record that began it. */
    readonly since: number;
    readonly points: readonly CurvePoint[];
  } | null;
}

export interface CurvePoint {
  /** Number of examples by then. */
  readonly examples: number;
  /** Share of all answers before learning that were wrong. */
  readonly error: number;
  /** The same of the latest answers. */
  readonly latestError: number;
}

/** A change that a detector found. */
export interface Alarm {
  /** Position in the journal of the example at which it was found. */
  readonly sequence: number;
  /** Number of examples by then. */
  readonly examples: number;
  /** The errors of answers, or the values of an input. */
  readonly of: 'error' | 'input';
  /** Name of the input. */
  readonly input: string | null;
  readonly detector: 'adwin' | 'page-hinkley';
  /** The mean before. */
  readonly before: number;
  /** About the mean of the latest 16 values. */
  readonly after: number;
}

export interface Cells {
  readonly examples: number;
  readonly missing: number;
  /** With a level, or a text of words, that came for the first time. */
  readonly unseen: number;
}

/** Figures of the stream of examples. */
export interface Watch {
  readonly version: Version;
  readonly examples: number;
  /** Largest number of the latest examples that `latest` counts. */
  readonly window: number;
  readonly classes: readonly {
    /** Null: classes that are not told apart. */
    readonly name: string | null;
    readonly examples: number;
    readonly latest: number;
  }[];
  readonly columns: readonly (Cells & {
    readonly name: string;
    readonly latest: Cells;
    /** Null: its mean is not watched. */
    readonly alarms: number | null;
    readonly mean: number | null;
  })[];
  /** Null if no answer had probabilities. */
  readonly calibration: {
    readonly examples: number;
    readonly expectedCalibrationError: number;
    readonly bins: readonly { readonly examples: number; readonly probability: number; readonly right: number }[];
  } | null;
  readonly errorAlarms: { readonly adwin: number; readonly 'page-hinkley': number };
  /** The latest, the oldest first, at most 32. */
  readonly alarms: readonly Alarm[];
}

/** A second learner, which sees the same examples. */
export interface Shadow extends ShadowFigures {
  readonly version: Version;
  readonly metrics: Figures;
}

/** A second learner beside a model, and the comparison of both. */
export interface ShadowFigures {
  /** Position in the journal of the record that began it. */
  readonly since: number;
  readonly rule: string;
  readonly classes: readonly string[];
  readonly examples: number;
  /** Number of examples that only the model could learn. */
  readonly refused: number;
  readonly metrics: Course;
  readonly compared: {
    readonly bothRight: number;
    readonly onlyModel: number;
    readonly onlyShadow: number;
    readonly bothWrong: number;
    /** Of McNemar's test. */
    readonly pValue: number;
  };
}

/** State of a model in its stream of events. */
export interface State {
  readonly version: Version;
  readonly examples: number;
  /** Tells why the model takes no examples for now. */
  readonly fault: string | null;
  readonly metrics: Course | null;
  /** Null: there is none. */
  readonly shadow: ShadowFigures | null;
}

/** An event of a model. `id` is the sequence number of the model. */
export type ModelEvent =
  | { readonly type: 'alarm'; readonly id: number; readonly data: Alarm }
  | { readonly type: 'state'; readonly id: number; readonly data: State }
  /** The model was retired or replaced. It is the last event. */
  | { readonly type: 'retired'; readonly id: number; readonly data: object };

/** A new model that learns. */
export interface NewLearner {
  readonly kind: 'learning';
  /** Options of `OnlineClassifier`, such as `label`, `rule` and `calibrate`. */
  readonly options?: object | undefined;
  readonly limits?:
    | {
        /** Number of the latest ids that are remembered. Default 100,000. */
        readonly ids?: number | undefined;
        /** Number of the latest predictions that wait for labels. Default 10,000. */
        readonly predictions?: number | undefined;
      }
    | undefined;
}
