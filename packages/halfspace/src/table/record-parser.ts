import { type CellStarts, PlainLine } from './plain-line.ts';

/** The format of the cells in a text table. */
export interface Dialect {
  /** The characters between two cells. One blank: any number of blanks and tabs. */
  readonly delimiter: string;
  /** The character that encloses cells; null: quotes are ordinary characters. */
  readonly quote: string | null;
  /** Precedes a quote that belongs to a quoted cell: the quote itself, or a backslash. */
  readonly escape: string;
  /** Number of lines before the first record. Default 0. */
  readonly skip?: number;
  /** Beginning of lines that are no records. Default: there are none. */
  readonly comment?: string | null;
  /** True if any number of blanks may precede a quote. Default: one. */
  readonly padded?: boolean;
  /** True if a record may stand in quotes as a whole, so that it has one cell. */
  readonly wrapped?: boolean;
}

/** The delimiter of cells with blanks between them. */
export const blanks = ' ';

/** A record of a text table: a {@link PlainLine}, or its cells. */
export interface TextRecord {
  readonly cells: readonly string[];
  /** The line in which it begins, from 1. */
  readonly line: number;
  /** `quote`: a closing quote is missing, or text follows it; `long`: the record is too long; null: no fault. */
  readonly fault: 'quote' | 'long' | null;
  /** The unparsed record, without its line end; null unless it has a fault or texts are kept. */
  readonly text: string | null;
}

interface RecordParserOptions {
  /** True if records without a fault keep their text too. */
  readonly keepsText?: boolean;
  /** True if records need no cells, but only their ends: then a line of delimiters takes no memory. */
  readonly endsOnly?: boolean;
  /** True if the table has one column, so that a blank line is a record with an empty cell. */
  readonly single?: boolean;
  /** Maximum number of characters of a record. A longer one has a fault. */
  readonly longest?: number;
  /** True: the first quote after a backslash makes backslashes escapes from there on. False: it is a fault. */
  readonly adapts?: boolean;
  /** Called with the text of each comment, and its line. */
  readonly onComment?: (text: string, line: number) => void;
}

/**
 * States within a record: at the start of a cell; after the one space that may precede a quote; in a plain cell.
 */
const start = 0;
const space = 1;
const plain = 2;
/** In a quoted cell; after its escape; after a quote that may be its closing quote; after blanks that follow it. */
const quoted = 3;
const escaped = 4;
const closing = 5;
const closed = 6;
/** Skipping to the line end, because the record has a fault. */
const skipping = 7;
/** In a line that is no record. */
const passing = 8;

/** Number of cells whose places are kept in one array. */
const roomOfStarts = 16_384;

const lineFeed = 10;
const carriageReturn = 13;
const tab = 9;
const blank = 32;
const none = -1;

/**
 * Splits a text table into records of cells. The text may be cut anywhere: each piece is read once, and a record is
 * emitted as soon as its line end arrives. Lines end with LF, CRLF or CR. Blank lines are no records.
 *
 * The dialect is that of DuckDB's strict reader, which is the oracle in the tests: one space may precede an
 * opening quote, and spaces may follow a closing one. Inside a plain cell, a quote is an ordinary character. What a
 * dialect says beyond delimiter, quote and escape is not known there.
 */
export class RecordParser {
  readonly #delimiterText: string;
  readonly #delimiter: number;
  /** True if blanks and tabs are one delimiter. */
  readonly #isBlank: boolean;
  /** The beginnings of comments, and of delimiters of several characters, may be cut. */
  readonly #cut: readonly string[];
  readonly #comment: string | null;
  readonly #padded: boolean;
  readonly #inner: RecordParser | null;
  /** True if lines without quotes need no more than their cells' places. */
  readonly #isPlain: boolean;
  #starts: Uint32Array = new Uint32Array(0);
  #used = 0;
  #outer: TextRecord | null = null;
  #isUnwrapped = false;
  readonly #skip: number;
  #held = '';
  #quote = none;
  #escape = none;
  readonly #longest: number;
  readonly #options: RecordParserOptions;
  readonly #emit: (record: TextRecord) => void;
  #state = start;
  #cells: string[] = [];
  /** The part of the cell, and of the record, that came with earlier pieces. */
  #cell = '';
  #text = '';
  #fault: TextRecord['fault'] = null;
  #line = 1;
  #recordLine = 1;
  /** True if the last character was the CR of a line end, whose LF may follow. */
  #wasReturn = false;

  constructor(dialect: Dialect, emit: (record: TextRecord) => void, options: RecordParserOptions = {}) {
    this.#emit = emit;
    this.#options = options;
    const { delimiter, comment = null, skip = 0, padded = false } = dialect;
    this.#delimiterText = delimiter;
    this.#delimiter = delimiter.charCodeAt(0);
    this.#isBlank = delimiter === blanks;
    this.#comment = comment;
    this.#skip = skip;
    this.#padded = padded;
    this.#cut = [delimiter, comment ?? ''].filter(({ length }) => length > 1);
    this.#inner =
      dialect.wrapped === true
        ? new RecordParser({ delimiter, quote: dialect.quote, escape: dialect.escape }, (record) =>
            this.#unwrap(record),
          )
        : null;
    this.#isPlain = delimiter.length === 1 && !this.#isBlank && this.#inner === null;
    this.quoteAs(dialect);
    this.#longest = options.longest ?? Number.POSITIVE_INFINITY;
  }

  /** Changes the quotes of the text to come. */
  quoteAs(quotes: Pick<Dialect, 'quote' | 'escape'>): void {
    this.#quote = quotes.quote === null ? none : quotes.quote.charCodeAt(0);
    this.#escape = quotes.quote === null ? none : quotes.escape.charCodeAt(0);
  }

  push(piece: string): void {
    if (this.#cut.length === 0) this.#push(piece);
    else {
      const text = this.#held + piece;
      const whole = text.length - Math.max(...this.#cut.map((token) => lengthOfStart(token, text)));
      this.#held = text.slice(whole);
      this.#push(text.slice(0, whole));
    }
  }

  #push(text: string): void {
    const { length } = text;
    const delimiter = this.#delimiter;
    const isBlank = this.#isBlank;
    const lines = new PlainLines(text, this.#quote, this.#longest);
    let recordFrom = 0;
    let p = 0;
    while (p < length) {
      if (p === recordFrom && this.#text === '') {
        if (!this.#wasReturn && this.#options.single !== true) {
          p = this.#afterBlankLines(text, p);
          recordFrom = p;
          if (p === length) break;
        }
        if (this.#state === start && this.#isPassed(text, p)) this.#state = passing;
        // Most lines have no quotes, and are split at once.
        else if (lines.next(p)) {
          this.#emitPlain(text, p, lines.end);
          p = lines.nextLine;
          recordFrom = p;
          continue;
        }
      }
      switch (this.#state) {
        case start:
        case space: {
          const code = text.charCodeAt(p);
          if (code === this.#quote) {
            this.#cell = '';
            this.#state = quoted;
            p++;
          } else if (isBlank && (code === blank || code === tab)) p++;
          else if (isBlank && (code === lineFeed || code === carriageReturn)) {
            recordFrom = this.#endLine(text, recordFrom, p, code);
            p++;
          } else if (code === blank && this.#quote !== none && (this.#state === start || this.#padded)) {
            this.#cell += ' ';
            this.#state = space;
            p++;
          } else this.#state = plain;
          break;
        }
        case plain: {
          const from = p;
          let code = 0;
          while (p < length) {
            code = text.charCodeAt(p);
            if (code === lineFeed || code === carriageReturn) break;
            if (code === delimiter ? this.#isDelimiter(text, p) : isBlank && code === tab) break;
            p++;
          }
          const part = from === p ? '' : text.slice(from, p);
          this.#cell = this.#cell === '' ? part : this.#cell + part;
          if (p < length) {
            if (code === lineFeed || code === carriageReturn) {
              recordFrom = this.#endLine(text, recordFrom, p, code);
              p++;
            } else {
              this.#endCell();
              p += this.#delimiterText.length;
            }
          }
          break;
        }
        case quoted: {
          const from = p;
          let code = 0;
          while (p < length) {
            code = text.charCodeAt(p);
            if (code === this.#quote || code === this.#escape) break;
            if (code === lineFeed) this.#line++;
            p++;
          }
          this.#cell += text.slice(from, p);
          if (p < length) {
            this.#state = code === this.#escape && code !== this.#quote ? escaped : closing;
            p++;
          }
          break;
        }
        case escaped: {
          // The character after an escape belongs to the cell.
          if (text.charCodeAt(p) === lineFeed) this.#line++;
          this.#cell += text[p++];
          this.#state = quoted;
          break;
        }
        case closing:
        case closed: {
          const code = text.charCodeAt(p);
          if (this.#state === closing && code === this.#quote && this.#escape === this.#quote) {
            this.#cell += text[p];
            this.#state = quoted;
          } else if (code === delimiter ? this.#isDelimiter(text, p) : isBlank && code === tab) {
            this.#endCell();
            p += this.#delimiterText.length - 1;
          } else if (code === blank) this.#state = closed;
          else if (code === lineFeed || code === carriageReturn) recordFrom = this.#endLine(text, recordFrom, p, code);
          else if (this.#state === closing && this.#options.adapts === true && this.#isEscaped()) {
            this.#escape = 92;
            this.#cell = this.#cell.slice(0, -1) + String.fromCharCode(this.#quote);
            this.#state = quoted;
            continue;
          } else {
            this.#fault = 'quote';
            this.#state = skipping;
          }
          p++;
          break;
        }
        default: {
          while (p < length && text.charCodeAt(p) !== lineFeed && text.charCodeAt(p) !== carriageReturn) p++;
          if (p < length) {
            recordFrom = this.#endLine(text, recordFrom, p, text.charCodeAt(p));
            p++;
          }
        }
      }
    }
    // The beginning of a record that is too long is kept.
    if (this.#text.length <= this.#longest) this.#text += text.slice(recordFrom);
    if (this.#text.length <= this.#longest) return;
    this.#fault ??= 'long';
    this.#state = skipping;
    this.#cells = [];
    this.#cell = '';
  }

  /** True if no record has begun. */
  get isBetweenLines(): boolean {
    return this.#text === '' && this.#held === '' && this.#state === start && !this.#wasReturn;
  }

  /** Counts lines between others that are parsed elsewhere, and returns the number of the first. */
  passLines(count: number): number {
    const first = this.#recordLine;
    this.#line += count;
    this.#recordLine = this.#line;
    return first;
  }

  /** Ends the table: emits a last record without a line end. */
  end(): void {
    this.#push(this.#held);
    this.#held = '';
    if (this.#text === '') return;
    if (this.#state === quoted || this.#state === escaped) this.#fault ??= 'quote';
    this.#endLine('', 0, 0, none);
  }

  /** Returns the position after blank lines, which are no records, from the start of a line. */
  #afterBlankLines(text: string, from: number): number {
    let p = from;
    let lines = 0;
    for (; ; lines++) {
      const code = text.charCodeAt(p);
      if (code === lineFeed) p++;
      else if (code === carriageReturn && text.charCodeAt(p + 1) === lineFeed) p += 2;
      else break;
    }
    this.#line += lines;
    this.#recordLine = this.#line;
    return p;
  }

  /** Tests if a line that begins at p is no record. */
  #isPassed(text: string, p: number): boolean {
    if (this.#wasReturn && text.charCodeAt(p) === lineFeed) return false;
    if (this.#recordLine <= this.#skip) return true;
    return this.#comment !== null && text.startsWith(this.#comment, p);
  }

  /** Ends a line that is no record, before text[p]. */
  #endPassed(line: string): void {
    if (this.#recordLine > this.#skip) this.#options.onComment?.(line, this.#recordLine);
    this.#text = '';
    this.#begin();
  }

  #isDelimiter(text: string, p: number): boolean {
    return this.#delimiterText.length === 1 || text.startsWith(this.#delimiterText, p);
  }

  #emitPlain(text: string, from: number, to: number): void {
    this.#wasReturn = false;
    const keepsText = this.#options.keepsText === true;
    const line = this.#recordLine;
    this.#begin();
    if (this.#isPlain) {
      this.#emit(new PlainLine(text, this.#cellsIn(text, from, to), line, keepsText));
      return;
    }
    const whole = text.slice(from, to);
    const cells = this.#isBlank
      ? whole.split(/[ \t]+/).filter((cell) => cell !== '')
      : whole.split(this.#delimiterText);
    if (cells.length > 0) this.#deliver({ cells, line, fault: null, text: keepsText ? whole : null });
  }

  /** Finds the cells of a line. */
  #cellsIn(text: string, from: number, to: number): CellStarts {
    const delimiter = this.#delimiter;
    let starts = this.#starts;
    let first = this.#used;
    let next = first;
    for (let p = from - 1; p < to; p++) {
      if (p >= from && text.charCodeAt(p) !== delimiter) continue;
      // The last place is for the end of the line.
      if (next + 2 > starts.length) {
        const room = new Uint32Array(Math.max(roomOfStarts, 2 * (next - first)));
        room.set(starts.subarray(first, next));
        starts = room;
        next -= first;
        first = 0;
      }
      starts[next++] = p + 1;
    }
    starts[next++] = to + 1;
    this.#starts = starts;
    this.#used = next;
    return { starts, first, count: next - first - 1 };
  }

  #deliver(record: TextRecord): void {
    if (this.#inner === null || record.cells.length > 1 || record.fault !== null) {
      this.#emit(record);
      return;
    }
    this.#outer = record;
    this.#isUnwrapped = false;
    this.#inner.push(`${record.cells[0]!}\n`);
    // A quote within that is not closed.
    if (!this.#isUnwrapped) this.#inner.end();
    this.#outer = null;
  }

  #unwrap({ cells, fault }: TextRecord): void {
    const outer = this.#outer!;
    // Line ends within the quotes make several records of it.
    this.#isUnwrapped = true;
    this.#emit({ cells, line: outer.line, fault, text: outer.text ?? (fault === null ? null : outer.cells[0]!) });
  }

  #isEscaped(): boolean {
    return this.#escape === this.#quote && this.#cell.endsWith('\\');
  }

  #endCell(): void {
    if (this.#options.endsOnly !== true) this.#cells.push(this.#cell);
    this.#cell = '';
    this.#state = start;
  }

  /** Ends the record before text[p], and returns where the next one begins. */
  #endLine(text: string, from: number, p: number, code: number): number {
    const wasReturn = this.#wasReturn;
    this.#wasReturn = code === carriageReturn;
    if (this.#state === passing) {
      this.#endPassed(this.#text + text.slice(from, p));
      return p + 1;
    }
    // The second half of a line end.
    const isEmpty = this.#text === '' && p === from;
    if (isEmpty && wasReturn && code === lineFeed) {
      this.#state = start;
      this.#recordLine = this.#line;
      return p + 1;
    }
    const length = this.#text.length + p - from;
    if (length > this.#longest) this.#fault ??= 'long';
    // Blanks at the end of a line begin no cell.
    const isOver = this.#isBlank && this.#state === start;
    if (isOver && this.#cells.length === 0 && this.#fault === null) {
      this.#text = '';
      this.#begin();
    } else if (!isEmpty || this.#options.single === true) {
      if (!isOver) this.#endCell();
      const cells = this.#cells;
      const keeps = this.#fault !== null || this.#options.keepsText === true;
      this.#cells = [];
      const record: TextRecord = {
        cells,
        line: this.#recordLine,
        fault: this.#fault,
        text: keeps ? this.#text + text.slice(from, p) : null,
      };
      this.#fault = null;
      this.#text = '';
      this.#begin();
      this.#deliver(record);
    } else this.#begin();
    return p + 1;
  }

  #begin(): void {
    this.#state = start;
    this.#cell = '';
    this.#line++;
    this.#recordLine = this.#line;
  }
}

/** Returns the length of the longest end of a text that may be the beginning of a token, and is not all of it. */
function lengthOfStart(token: string, text: string): number {
  for (let length = Math.min(token.length - 1, text.length); length > 0; length--)
    if (text.endsWith(token.slice(0, length))) return length;
  return 0;
}

/** Finds lines of a text that are not empty, have no quotes, and end with LF or CRLF. */
class PlainLines {
  /** The end of the line, and the start of the line after it. */
  end = 0;
  nextLine = 0;
  readonly #text: string;
  readonly #quote: string;
  readonly #longest: number;
  /** Positions of the next quote, LF and CR; −1: not searched yet. */
  #quoteAt: number;
  #feedAt = -1;
  #returnAt = -1;

  constructor(text: string, quote: number, longest: number) {
    this.#text = text;
    this.#quote = String.fromCharCode(quote);
    this.#longest = longest;
    this.#quoteAt = quote === none ? text.length : -1;
  }

  /** Tests if such a line begins at p. Positions may only grow. */
  next(p: number): boolean {
    if (this.#feedAt < p) this.#feedAt = this.#find('\n', p);
    const feed = this.#feedAt;
    if (feed === this.#text.length) return false;
    if (this.#quoteAt < p) this.#quoteAt = this.#find(this.#quote, p);
    if (this.#returnAt < p) this.#returnAt = this.#find('\r', p);
    this.end = Math.min(feed, this.#returnAt);
    this.nextLine = feed + 1;
    return this.#quoteAt > feed && this.end >= feed - 1 && this.end > p && this.end - p <= this.#longest;
  }

  #find(letter: string, from: number): number {
    const at = this.#text.indexOf(letter, from);
    return at === -1 ? this.#text.length : at;
  }
}
