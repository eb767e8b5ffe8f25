import { type NumberParts, notatedNumber, numberParts, partsValue } from '../features/number/notation.ts';
import { numberCell } from '../features/table-cell.ts';
import type { NumberNotation } from '../features/table-encoding.ts';

/** The notations that a column may have, without a unit. Of those that fit as many cells the first is taken. */
const notations: readonly Required<Omit<NumberNotation, 'unit'>>[] = [
  { decimal: '.', group: ',' },
  { decimal: '.', group: ' ' },
  { decimal: '.', group: "'" },
  { decimal: ',', group: '.' },
  { decimal: ',', group: ' ' },
  { decimal: ',', group: "'" },
];

/** Units that are known: percent, currencies by sign or code, degrees. Other words make a cell a name, not a number. */
const knownUnit =
  /^(?:%|‰|°[CF]?|[A-Z]{0,3}\p{Sc}|\p{Sc}[A-Z]{2,3}|USD|EUR|GBP|JPY|CNY|RMB|CHF|CAD|AUD|NZD|HKD|SGD|INR|BRL|MXN|ZAR|KRW|TRY|PLN|CZK|HUF|RON|BGN|UAH|RUB|SEK|NOK|DKK|ISK|ILS|AED|SAR|THB|IDR|MYR|PHP|VND|ARS|CLP|COP|PEN|EGP|NGN|KES|kr|zł|Kč|Ft|lei|Rs)$/u;

/** Counts of the cells that are numbers, for each notation; `grouped`: of those in which it groups digits. */
interface Fits {
  readonly cells: Float64Array;
  readonly grouped: Float64Array;
}

/** A notation, and the number of cells that it fits. */
export interface ChosenNotation {
  readonly notation: NumberNotation;
  readonly cells: number;
}

/** Maximum number of examples that are kept for a note. */
const mostExamples = 20;

/** Counts which notations of numbers fit the cells of a column. */
export class NotationTally {
  /** Cells that are plain numbers. */
  plain = 0;
  /** Cells with a unit, a mark or a sign that plain numbers do not have. */
  notated = 0;
  /** The first different ones of them. */
  readonly examples = new Set<string>();
  readonly #fits = new Map<string, Fits>();
  #enclosed = 0;

  /** Adds cells of the same text, without surrounding blanks. */
  add(text: string, count = 1): void {
    if (Number.isFinite(numberCell(text))) {
      this.#addPlain(text, count);
      return;
    }
    const parts = numberParts(text);
    if (parts === null || (parts.unit !== '' && !knownUnit.test(parts.unit))) return;
    this.notated += count;
    if (this.examples.size < mostExamples) this.examples.add(text);
    if (parts.isEnclosed) this.#enclosed += count;
    const { cells, grouped } = this.#fitsOf(parts.unit);
    notations.forEach((notation, n) => {
      if (partsValue(parts, notation) === null) return;
      cells[n]! += count;
      if (isGrouped(parts, notation)) grouped[n]! += count;
    });
  }

  /** A plain number fits each notation with a point; without a point, all; and 1.234 one that groups digits so. */
  #addPlain(text: string, count: number): void {
    this.plain += count;
    const { cells, grouped } = this.#fitsOf('');
    const hasPoint = text.includes('.');
    const parts = hasPoint && text.length > 4 ? numberParts(text) : null;
    notations.forEach((notation, n) => {
      const isKept = notation.decimal === '.' || !hasPoint;
      if (!isKept && (parts === null || partsValue(parts, notation) === null)) return;
      cells[n]! += count;
      if (!isKept) grouped[n]! += count;
    });
  }

  /** Returns the longest example that a notation fits; null: there is none. */
  exampleOf(notation: NumberNotation): string | null {
    let best: string | null = null;
    for (const example of this.examples)
      if (notatedNumber(example, notation) !== null && example.length > (best?.length ?? 0)) best = example;
    return best;
  }

  #fitsOf(unit: string): Fits {
    const known = this.#fits.get(unit);
    if (known !== undefined) return known;
    const made = { cells: new Float64Array(notations.length), grouped: new Float64Array(notations.length) };
    this.#fits.set(unit, made);
    return made;
  }

  /**
   * Returns the notation that fits most cells; null if plain numbers are as many.
   *
   * @param decimal the decimal mark, if it is known.
   */
  choose(decimal?: '.' | ','): ChosenNotation | null {
    const without = this.#fits.get('');
    let best: ChosenNotation | null = null;
    let most = decimal === ',' ? 0 : this.plain;
    for (const unit of ['', ...this.#fits.keys()]) {
      const own = this.#fits.get(unit);
      if (own === undefined) continue;
      notations.forEach((notation, n) => {
        const more = unit === '' ? 0 : (without?.cells[n] ?? 0);
        const cells = own.cells[n]! + more;
        // A unit in few cells is a mistake, not the unit of the others.
        if (cells <= most || own.cells[n]! < more || (decimal ?? notation.decimal) !== notation.decimal) return;
        const grouped = own.grouped[n]! + (unit === '' ? 0 : (without?.grouped[n] ?? 0));
        const { group } = notation;
        best = {
          notation: {
            decimal: notation.decimal,
            ...(grouped > 0 ? { group } : {}),
            ...(unit === '' ? {} : { unit }),
          },
          cells,
        };
        most = cells;
      });
    }
    // Numbers that are all in parentheses are marks of another meaning, as of footnotes.
    return this.#enclosed >= most ? null : best;
  }
}

function isGrouped({ digits }: NumberParts, { decimal }: NumberNotation): boolean {
  const at = digits.indexOf(decimal);
  return /\D/.test(at === -1 ? digits : digits.slice(0, at));
}
