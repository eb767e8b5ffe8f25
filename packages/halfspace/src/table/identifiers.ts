import { cellText, levelOf } from '../features/table-cell.ts';
import type { ColumnCells } from '../features/table-chunk.ts';
import { mostInstead } from './kinds.ts';
import type { ScannedChunk, Table } from './table.ts';
import { WordList } from './words.ts';

/** A way in which the name of a column says that its values name the rows, from strong to weak; null: it does not. */
type IdentifierName = 'index' | 'identifier' | 'number' | null;

/** Names of indices and row numbers. pandas writes an index as `Unnamed: 0` or without a name. */
const indexName = /^(?:|unnamed: ?\d+|index|idx|row(?:[ _.-]?(?:ids?|names?|index|idx|no|nr|num|number))?)$/i;

/** Words for identifiers. */
const identifier =
  /^(?:ids?|uu?id|guid|pid|keys?|ssn|imei|imsi|msisdn|iban|isbn|issn|ean|gtin|sku|vin|bar ?code|serial|passport|matr[ií]cul[ae]|matrikel)$/;
/** Words for numbers that name something, if they come last: not `number_of_rooms`, not `num_pages`. */
const number = /^(?:#|no|nr|num|nbr|number|nummer|n[uú]mero|numéro|code|phone|telephone|mobile|fax|ref|reference)$/;
/** Single words that end so: `userid`, `CLIENTNUM`, `kundennr`, `invoiceno`; not `paid`, `android`, `liquid`. */
const joined =
  /(?:[a-z]{4}(?<![oa]|qu|fl|br|val|inval)id|[a-z]{2}(?:num(?<!min?um|tinum|magnum)|nbr|nr|nummer|uuid|guid)|[a-z]{5}no)$/;
/** Words for measurements and for codes of places, which repeat in other tables: `id_count`, `zip_code`. */
const measure =
  /^(?:counts?|rates?|ratio|share|score|mean|avg|average|median|sum|total|sizes?|length|len|width|height|depth|weight|age|prices?|costs?|amount|value|revenue|sales|income|salary|wage|profit|budget|population|balance|distance|area|volume|temperature|pressure|speed|rank|ranking|position|percent|pct|seconds?|minutes?|hours?|days?|weeks?|months?|years?|times?|timestamp|date|epoch|ts|created|updated|at|zip|postal|post|postcode|plz|country|region|state|lat|lon|latitude|longitude)$/;

/** Returns the parts of a name, in lower case: `customerId`, `SK_ID_CURR`, `IDpol` and `id2` have the part `id`. */
function partsOf(name: string): string[] {
  return name
    .replace(/^ID(?=[a-z])/, 'ID ')
    .replace(/([\p{Ll}\d])(?=\p{Lu})/gu, '$1 ')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
    .replace(/(\p{L})(?=\d)/gu, '$1 ')
    .toLowerCase()
    .split(/[^\p{L}#]+/u)
    .filter((part) => part !== '');
}

/** Tests if the name of a column is one of a measurement, or of a place. */
function namesMeasure(name: string): boolean {
  return partsOf(name).some((part) => measure.test(part));
}

/** Tells if a column is named like an index, an identifier, or a number that names something. */
function identifierName(name: string): IdentifierName {
  const text = name.trim();
  if (indexName.test(text)) return 'index';
  const parts = partsOf(text);
  const last = parts.at(-1);
  if (last === undefined || (parts.length > 1 && parts.some((part) => measure.test(part)) && !/^u?u?ids?$/.test(last)))
    return null;
  const isJoined = parts.length === 1 && joined.test(last);
  if (isJoined || parts.some((part, i) => identifier.test(part) && (part !== 'key' || i === parts.length - 1)))
    return 'identifier';
  return number.test(last) ? 'number' : null;
}

/** Maximum number of different values that are kept: 16 MB. */
const mostValues = 1 << 20;

/**
 * A set of whole numbers in bounded memory, by open addressing. It tells if a number was seen before, exactly for the
 * first 1,048,576 different ones; further ones count as new unless they equal one of these.
 */
class NumberSet {
  #slots = new Float64Array(64).fill(Number.NaN);
  #size = 0;

  /** Adds a whole number. @returns true if it is new. */
  add(value: number): boolean {
    const at = this.#find(this.#slots, value);
    if (this.#slots[at] === value) return false;
    if (this.#size === mostValues) return true;
    this.#slots[at] = value;
    this.#size++;
    // At most half of the slots are taken, so a search is short.
    if (this.#size * 2 > this.#slots.length && this.#size < mostValues) this.#grow();
    return true;
  }

  /** Returns the slot of a value, or the free slot for it. */
  #find(slots: Float64Array, value: number): number {
    const mask = slots.length - 1;
    const mixed = Math.imul((value | 0) ^ Math.imul((value / 2 ** 32) | 0, 0x85ebca6b), 0x9e3779b1);
    let at = (mixed ^ (mixed >>> 15)) & mask;
    while (!Number.isNaN(slots[at]!) && slots[at] !== value) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const slots = new Float64Array(2 * this.#slots.length).fill(Number.NaN);
    for (const value of this.#slots) if (!Number.isNaN(value)) slots[this.#find(slots, value)] = value;
    this.#slots = slots;
  }
}

/*
 * Running numbers and identifiers name the rows of a table. They say nothing about other rows, but a learner can use
 * them to know its training rows by heart: in a table sorted by class the row number is the best feature of all. Values
 * decide; a name only says how much they must show.
 */

/** Minimum number of values of a column whose name is that of an identifier, of a running number, and of others. */
const fewestNamed = 5;
const fewestNumbered = 10;
const fewestOthers = 20;
/** Maximum share of values that repeat an earlier one: a row that was entered twice makes no measurement. */
const mostRepeated = 0.02;
/** Number of repeats at which a column is not watched any more, if they are a larger share than this. */
const enoughRepeats = 64;
/** Numbers from here are identifiers if all have as many digits, and from the second one if hardly one is left out. */
const manyDigits = 1e8;
const fewerDigits = 1e5;

/** The reason to leave out a column of identifiers. */
type IdentityReason = 'running-number' | 'identifier';

/** Watches one column for running numbers and for identifiers. */
export class IdentityWatch {
  /** True if the name alone makes the column suspect. */
  readonly isNamed: boolean;
  readonly #name: IdentifierName;
  readonly #isMeasure: boolean;
  readonly #run = new RunningNumber();
  /** Null: these are no identifiers. */
  #numbers: WholeNumbers | null = new WholeNumbers();
  #words: WordList | null;
  #values = 0;

  /** @param name empty for a first column without a name. */
  constructor(name: string) {
    this.#name = identifierName(name);
    this.isNamed = this.#name !== null;
    this.#isMeasure = !this.isNamed && namesMeasure(name);
    if (this.#isMeasure) this.#numbers = null;
    this.#words = this.isNamed ? new WordList() : null;
  }

  /** Takes the cells of a column of numbers. @param c its position in the chunk. */
  observeNumbers(table: Table, chunk: ScannedChunk, cells: Float64Array, c: number): void {
    this.#run.observe(table, chunk, cells);
    if (this.#numbers?.observe(chunk, cells, c) === false) this.#numbers = null;
  }

  /** Takes the cells of a column of text. */
  observeWords(cells: ColumnCells | null, rows: number): void {
    if (this.#words === null || cells === null || cells instanceof Float64Array) return;
    for (let i = 0; i < rows; i++) {
      const text = cellText(cells.words[cells.codes[i]!]!);
      if (text === null || this.#words.full) continue;
      this.#values++;
      this.#words.code(text);
    }
    if (isRepeated(this.#values, this.#different, enoughRepeats)) this.#words = null;
  }

  /** Returns the reason to leave out a column of numbers; null: there is none. */
  reasonOfNumbers(): IdentityReason | null {
    if (this.#run.rows >= (this.isNamed ? fewestNamed : fewestNumbered)) return 'running-number';
    return this.#numbers?.areIdentifiers(this.#name) === true ? 'identifier' : null;
  }

  /** Returns the reason to leave out a column of text; null: there is none. */
  reasonOfText(): IdentityReason | null {
    if (this.#words === null || this.#values < fewestNamed) return null;
    return isRepeated(this.#values, this.#different) ? null : 'identifier';
  }

  /** Returns the reason to leave out a category; null: there is none. @param levels rows with each level. */
  reasonOfLevels(levels: ReadonlyMap<string, number>): IdentityReason | null {
    if (levels.size < (this.isNamed ? fewestNamed : fewestOthers) || this.#isMeasure) return null;
    let values = 0;
    for (const count of levels.values()) values += count;
    if (isRepeated(values, levels.size)) return null;
    if (this.isNamed) return 'identifier';
    let codes = 0;
    for (const level of levels.keys()) if (code.test(level)) codes++;
    return codes >= levels.size * (1 - mostRepeated) ? 'identifier' : null;
  }

  get #different(): number {
    return this.#words!.words.length - 1;
  }
}

/** Codes such as `C355512575`, `DE-4711-a` and the hexadecimal `9f86d081`; not `12kg`, `3.5`, `2020-01-02`. */
const code = /^(?:(?=(?:.*\d){2})[a-z]{1,8}[-_/#]?\d[\da-z]*(?:[-_/]\w+)*|(?=.*\d)[\da-f]{8}[\da-f-]*)$/i;

/** Tests if more values than {@link mostRepeated} repeat an earlier one, and at least `least`. */
function isRepeated(values: number, different: number, least = 1): boolean {
  return values - different >= Math.max(least, values * mostRepeated + 1e-9);
}

/** The numbers of a column that has only whole ones. */
class WholeNumbers {
  readonly #set = new NumberSet();
  #values = 0;
  #different = 0;
  #least = Infinity;
  #most = -Infinity;
  /** Numbers of values that end with a 0, and that follow the one before. */
  #round = 0;
  #following = 0;
  #before = Number.NaN;

  /** @returns false if these are no identifiers. */
  observe(chunk: ScannedChunk, cells: Float64Array, c: number): boolean {
    for (let i = 0; i < chunk.rows; i++) {
      const value = cells[i]!;
      if (Number.isNaN(value) || levelOf(value, mostInstead) >= 0) continue;
      if (!Number.isInteger(value)) return false;
      this.#values++;
      if (this.#set.add(Number.isSafeInteger(value) ? value : exactly(chunk.cell(c, i), value))) this.#different++;
      if (value < this.#least) this.#least = value;
      if (value > this.#most) this.#most = value;
      if (value % 10 === 0) this.#round++;
      if (value === this.#before + 1) this.#following++;
      this.#before = value;
      if (isRepeated(this.#values, this.#different, enoughRepeats) && this.#following * 2 < this.#values) return false;
    }
    return true;
  }

  /** Tests if the numbers name the rows. @param name how the name of the column says so. */
  areIdentifiers(name: IdentifierName): boolean {
    const [values, least, most] = [this.#values, this.#least, this.#most];
    if (values < fewestNamed) return false;
    // Several tables, each with an index, one after the other.
    if (name === 'index' && this.#following > values * 0.9) return true;
    if (isRepeated(values, this.#different)) return false;
    if (name === 'index' || name === 'identifier') return true;
    if (name === 'number') return least >= 0 && (values >= fewestOthers || most >= 1000);
    if (values < fewestOthers || least < 0) return false;
    if (least > Number.MAX_SAFE_INTEGER) return true;
    const isDense = most - least < values * (1 + mostRepeated);
    if (isDense && (least === 0 || least === 1 || least >= fewerDigits)) return true;
    const isEven = least >= manyDigits && String(least).length === String(most).length;
    return isEven && this.#round < values / 3 && !areTimes(least, most);
  }
}

/** Tests if all numbers can be times: seconds, or a small fraction of them, since 1970, or digits of a date. */
function areTimes(least: number, most: number): boolean {
  const isIn = (from: number, to: number) => from <= least && most <= to;
  if ([1, 1e3, 1e6, 1e9].some((unit) => isIn(6e8 * unit, 2.6e9 * unit))) return true;
  return [1e2, 1e4, 1e6, 1e9].some((unit) => isIn(19000101 * unit, 21000101 * unit));
}

/** Returns a number for a whole number beyond the exact doubles: another one for nearly every other whole number. */
function exactly(cell: unknown, value: number): number {
  if (typeof cell === 'bigint') return Number(BigInt.asUintN(52, cell));
  const text = typeof cell === 'string' ? cell.trim() : '';
  return /^[-+]?\d+$/.test(text) ? Number(BigInt.asUintN(52, BigInt(text.replace('+', '')))) : value;
}

/**
 * Follows a column whose numbers start at 0 or 1 and rise by 1 from row to row. Each of several tables may start anew,
 * or go on.
 */
class RunningNumber {
  #table: Table | null = null;
  /** The number of row 0 of the table; null: not known yet. */
  #start: number | null = null;
  /** The number that would come next. */
  #next = 0;
  #rows = 0;
  #isRunning = true;

  /** Number of numbered rows; 0: these are no running numbers. */
  get rows(): number {
    return this.#isRunning ? this.#rows : 0;
  }

  observe(table: Table, { first, rows, damaged }: ScannedChunk, cells: Float64Array): void {
    if (!this.#isRunning) return;
    if (table !== this.#table) {
      this.#table = table;
      this.#start = null;
    }
    for (let i = 0; i < rows; i++) {
      // A row that could not be read still has its number.
      if (damaged !== null && damaged[i] !== 0) continue;
      const start = cells[i]! - first - i;
      this.#start ??= start === 0 || start === 1 || start === this.#next ? start : Number.NaN;
      if (start !== this.#start) {
        this.#isRunning = false;
        return;
      }
      this.#rows++;
    }
    if (this.#start !== null) this.#next = this.#start + first + rows;
  }
}
