/**
 * Evaluates claims and answers: numbers and named quantities with + − * / and parentheses, compared by < <= = != >=
 * >, joined by `and`. `score[2]` is a quantity of example 2; `mixed.updates` is one of the scene `mixed`. Comparisons
 * allow for rounding: |a − b| ≤ 1e-9·max(1, |a|, |b|) counts as equal.
 */
export interface Outcome {
  /** 1 or 0 for a comparison; NaN: a quantity is not known. */
  readonly value: number;
  /** The numbers of a comparison: `7 ≤ 52`; empty if they add nothing to the words. */
  readonly text: string;
}

/** Returns the value of a name; NaN: not known. */
type Lookup = (name: string, index: number | null, scene: string | null) => number;

/** Evaluates an expression. @throws Error for a syntax error. */
export function evaluate(expression: string, lookup: Lookup): Outcome {
  const parser = new Parser(expression, lookup);
  return parser.all();
}

/** Returns the names in an expression; those of other scenes have the scene in front. */
export function namesIn(expression: string): string[] {
  const names: string[] = [];
  evaluate(expression, (name, _, scene) => {
    names.push(scene === null ? name : `${scene}.${name}`);
    return Number.NaN;
  });
  return names;
}

const tokenPattern = /\s*(\d+(?:\.\d+)?(?:e[+-]?\d+)?|[A-Za-z][\w-]*(?:\.[A-Za-z]\w*)?|<=|>=|!=|[-+*/()<>=[\]])/y;
const signs: Readonly<Record<string, string>> = { '<=': '≤', '>=': '≥', '!=': '≠', '=': '=', '<': '<', '>': '>' };

class Parser {
  readonly #tokens: string[] = [];
  readonly #lookup: Lookup;
  #next = 0;

  constructor(expression: string, lookup: Lookup) {
    this.#lookup = lookup;
    tokenPattern.lastIndex = 0;
    const text = expression.trimEnd();
    while (tokenPattern.lastIndex < text.length) {
      const at = tokenPattern.lastIndex;
      const token = tokenPattern.exec(text);
      if (token === null) throw new Error(`expected an expression; got “${text.slice(at)}” in “${expression}”`);
      this.#tokens.push(token[1]!);
    }
  }

  all(): Outcome {
    let outcome = this.#comparison();
    while (this.#take('and')) {
      const other = this.#comparison();
      outcome = {
        value: outcome.value * other.value,
        text: [outcome.text, other.text].filter((text) => text !== '').join(', '),
      };
    }
    if (this.#next < this.#tokens.length) throw new Error(`expected the end; got “${this.#tokens[this.#next]}”`);
    return outcome;
  }

  #comparison(): Outcome {
    const left = this.#sum();
    const sign = signs[this.#tokens[this.#next] ?? ''];
    if (sign === undefined) return { value: left, text: formatNumber(left) };
    this.#next++;
    const from = this.#next;
    const right = this.#sum();
    const value = compare(left, sign, right);
    // An equality with a written number needs no numbers beside its words.
    const written = this.#next === from + 1 && /^\d/.test(this.#tokens[from]!);
    const equal = sign === '=' && value === 1;
    const rest = equal ? '' : ` ${sign} ${formatNumber(right)}`;
    return { value, text: equal && written ? '' : `${formatNumber(left)}${rest}` };
  }

  #sum(): number {
    let sum = this.#product();
    for (;;) {
      if (this.#take('+')) sum += this.#product();
      else if (this.#take('-')) sum -= this.#product();
      else return sum;
    }
  }

  #product(): number {
    let product = this.#factor();
    for (;;) {
      if (this.#take('*')) product *= this.#factor();
      else if (this.#take('/')) product /= this.#factor();
      else return product;
    }
  }

  #factor(): number {
    if (this.#take('-')) return -this.#factor();
    if (this.#take('(')) {
      const inside = this.#sum();
      this.#expect(')');
      return inside;
    }
    const token = this.#tokens[this.#next++];
    if (token === undefined) throw new Error('expected a number or a name; got the end');
    if (/^\d/.test(token)) return Number(token);
    if (!/^[A-Za-z]/.test(token)) throw new Error(`expected a number or a name; got “${token}”`);
    const [scene, name] = token.includes('.') ? (token.split('.') as [string, string]) : [null, token];
    let index: number | null = null;
    if (this.#take('[')) {
      index = this.#sum();
      this.#expect(']');
    }
    return this.#lookup(name, index, scene);
  }

  #take(token: string): boolean {
    if (this.#tokens[this.#next] !== token) return false;
    this.#next++;
    return true;
  }

  #expect(token: string): void {
    if (!this.#take(token)) throw new Error(`expected “${token}”; got “${this.#tokens[this.#next] ?? 'the end'}”`);
  }
}

function compare(a: number, sign: string, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.NaN;
  const equal = a === b || Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
  const holds = {
    '≤': a < b || equal,
    '≥': a > b || equal,
    '<': a < b && !equal,
    '>': a > b && !equal,
    '=': equal,
    '≠': !equal,
  }[sign];
  return holds ? 1 : 0;
}

/** Writes a number with at most five digits and a true minus sign. */
export function formatNumber(value: number): string {
  if (Number.isNaN(value)) return '…';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const magnitude = Math.abs(value);
  const text = Number.isInteger(value) && magnitude < 1e15 ? magnitude.toLocaleString('en') : rounded(magnitude);
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}

function rounded(magnitude: number): string {
  if (magnitude >= 1e6 || magnitude < 1e-4)
    return magnitude < 1e-12 ? '0' : magnitude.toExponential(2).replace('e+', '·10^').replace('e-', '·10^−');
  const digits = Math.max(0, 3 - Math.floor(Math.log10(magnitude)));
  return magnitude.toLocaleString('en', { maximumFractionDigits: Math.min(6, digits) });
}
