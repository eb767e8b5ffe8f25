import { deepest } from './object.ts';

/** The text of one value, one character per byte, and the line of its beginning. */
export interface JsonText {
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** The error because of which this text and all text after it cannot be split; null: none. */
  readonly fault: 'syntax' | 'deep' | 'long' | 'cut' | null;
}

/** Maximum number of characters of one value. */
export const longestObject = 64 * 1024 * 1024;

/**
 * Splits JSON into the texts of its rows. The pieces of text may be cut anywhere: each is read once, and a row is
 * emitted as soon as its end arrives.
 */
export interface JsonSplitter {
  push(text: string): void;
  end(): void;
}

/** Splits text with one value per line; skips blank lines. */
export class LineSplitter implements JsonSplitter {
  readonly #emit: (value: JsonText) => void;
  #text = '';
  #line = 1;

  constructor(emit: (value: JsonText) => void) {
    this.#emit = emit;
  }

  push(text: string): void {
    let from = 0;
    for (;;) {
      const to = text.indexOf('\n', from);
      if (to === -1) break;
      this.#give(this.#text + text.slice(from, to));
      this.#text = '';
      from = to + 1;
    }
    this.#text += text.slice(from);
    if (this.#text.length > longestObject) {
      this.#emit({ text: this.#text, line: this.#line, fault: 'long' });
      this.#text = '';
    }
  }

  end(): void {
    this.#give(this.#text);
    this.#text = '';
  }

  #give(line: string): void {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (/[^ \t\r]/.test(text)) this.#emit({ text, line: this.#line, fault: null });
    this.#line++;
  }
}

/** State of the parser of values. */
type Place = 'begin' | 'value' | 'inside' | 'scalar' | 'behind' | 'done';

/** Splits a list into its elements, or values one after the other. */
export class ValueSplitter implements JsonSplitter {
  readonly #emit: (value: JsonText) => void;
  #place: Place = 'begin';
  /** `isList`: the values are elements of a list. `#needsValue`: a comma was just read. */
  isList = false;
  #needsValue = false;
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  #text = '';
  #line = 1;
  #valueLine = 1;

  constructor(emit: (value: JsonText) => void) {
    this.#emit = emit;
  }

  push(text: string): void {
    let from = this.#place === 'inside' || this.#place === 'scalar' ? 0 : -1;
    for (let p = 0; p < text.length; p++) {
      const code = text.charCodeAt(p);
      if (code === 0x0a) this.#line++;
      if (this.#place === 'inside') {
        if (!this.#isInside(code)) continue;
        if (this.#depth > deepest) {
          this.#fail('deep');
          return;
        }
        if (this.#depth > 0) continue;
        this.#give(this.#text + text.slice(from, p + 1));
        from = -1;
        continue;
      }
      if (this.#place === 'scalar') {
        if (!this.#inString && (isSpace(code) || code === 0x2c || code === 0x5d)) {
          this.#give(this.#text + text.slice(from, p));
          from = -1;
        } else {
          if (this.#inString || code === 0x22) this.#isInside(code);
          continue;
        }
      }
      if (isSpace(code)) continue;
      if (this.#place === 'done') {
        this.#fail('syntax', text[p]);
        return;
      }
      if (this.#place === 'begin' && code === 0x5b) {
        this.isList = true;
        this.#place = 'value';
        continue;
      }
      if (this.isList && code === 0x5d) {
        if (this.#needsValue) {
          this.#fail('syntax', text[p]);
          return;
        }
        this.#place = 'done';
        continue;
      }
      if (this.isList && this.#place === 'behind') {
        if (code !== 0x2c) {
          this.#fail('syntax', text[p]);
          return;
        }
        this.#place = 'value';
        this.#needsValue = true;
        continue;
      }
      if (code === 0x2c || code === 0x5d || code === 0x7d || code === 0x3a) {
        this.#fail('syntax', text[p]);
        return;
      }
      from = p;
      this.#needsValue = false;
      this.#valueLine = this.#line;
      this.#depth = code === 0x7b || code === 0x5b ? 1 : 0;
      this.#inString = code === 0x22;
      this.#place = this.#depth > 0 ? 'inside' : 'scalar';
    }
    if (from === -1) return;
    this.#text += text.slice(from);
    if (this.#text.length > longestObject) this.#fail('long');
  }

  end(): void {
    if (this.#place === 'scalar' && !this.isList && !this.#inString) this.#give(this.#text);
    else if (this.#place === 'inside' || this.#place === 'scalar' || (this.isList && this.#place !== 'done'))
      this.#fail('cut');
  }

  /** Tracks strings and depth. @returns true if a bracket was read. */
  #isInside(code: number): boolean {
    if (this.#inString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === 0x5c) this.#isEscaped = true;
      else if (code === 0x22) this.#inString = false;
      return false;
    }
    if (code === 0x22) this.#inString = true;
    else if (code === 0x7b || code === 0x5b) this.#depth++;
    else if (code === 0x7d || code === 0x5d) this.#depth--;
    else return false;
    return true;
  }

  #give(text: string): void {
    this.#place = 'behind';
    this.#text = '';
    this.#emit({ text, line: this.#valueLine, fault: null });
  }

  #fail(fault: NonNullable<JsonText['fault']>, text = this.#text): void {
    this.#emit({ text, line: this.#line, fault });
    this.#text = '';
    this.#place = 'done';
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
