import { compareCodePoints } from '../features/table-encoding.ts';
import type { ColumnState, JoinedCell } from './column.ts';
import { otherBits, type Positions } from './positions.ts';
import { bytesOfNames, nameBytes, ownText } from './size.ts';

export interface LevelState extends Omit<ColumnState, 'kind'> {
  /** In the order in which they came. */
  readonly levels: readonly string[];
  /** One for each level. */
  readonly positions: Uint32Array;
  /** Position of the first of the features of other levels; −1: the levels are not at their bound yet. */
  readonly others: number;
}

/**
 * The levels of a field: one feature for each, and one that marks missing values. If there are as many levels as may
 * be, each further one has one of 2^{@link otherBits} features by its hash.
 */
export abstract class LevelColumn {
  readonly name: string;
  protected readonly most: number;
  /** The position of each level, in the order in which they came. */
  protected readonly levels: Map<string, number>;
  protected indicator = -1;
  /** Position of the first of the features of other levels. */
  protected others = -1;
  protected present = 0;
  joined: JoinedCell = 'missing';
  bytes: number;
  readonly number = Number.NaN;

  /** @param most largest number of levels. */
  constructor(name: string, most: number, state?: LevelState) {
    this.name = name;
    this.most = most;
    this.levels = new Map(state?.levels.map((level, l) => [level, state.positions[l]!]));
    this.bytes = bytesOfNames(this.levels.keys());
    if (state === undefined) return;
    this.indicator = state.indicator;
    this.others = state.others;
    this.present = state.present;
  }

  /** Joins a level, which is below the bound. Returns its position. */
  protected joinLevel(level: string, positions: Positions): number {
    const position = positions.allot();
    this.levels.set(ownText(level), position);
    this.bytes += nameBytes(level);
    return position;
  }

  /** Returns the levels as the model has them, and the positions of all features. */
  protected levelsIn(rows: number) {
    const levels = [...this.levels.keys()].sort(compareCodePoints);
    const positions = levels.map((level) => this.levels.get(level)!);
    const others = this.others < 0 ? {} : { others: { bits: otherBits } };
    if (this.others >= 0) for (let k = 0; k < 2 ** otherBits; k++) positions.push(this.others + k);
    const indicator = this.indicator >= 0;
    if (indicator) positions.push(this.indicator);
    return { levels, others, missing: { count: rows - this.present, indicator }, positions };
  }

  protected levelState(): LevelState {
    return {
      name: this.name,
      indicator: this.indicator,
      present: this.present,
      levels: [...this.levels.keys()],
      positions: Uint32Array.from(this.levels.values()),
      others: this.others,
    };
  }
}
