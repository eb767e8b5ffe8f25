import {
  type NumberParts,
  type NumberWord,
  notatedNumbers,
  numberParts,
  partsValue,
  scaleEnd,
} from '../features/number/notation.ts';
import { wordKey } from '../features/number/words.ts';
import { numberCell } from '../features/table-cell.ts';
import { compareCodePoints, type NotedWord, type NumberNotation } from '../features/table-encoding.ts';
import { areUnits, factorsAmong } from './units.ts';

/** The notations that a column may have, without words. Of those that fit as many cells the first is taken. */
const notations: readonly Required<Pick<NumberNotation, 'decimal' | 'group'>>[] = [
  { decimal: '.', group: ',' },
  { decimal: '.', group: ' ' },
  { decimal: '.', group: "'" },
  { decimal: ',', group: '.' },
  { decimal: ',', group: ' ' },
  { decimal: ',', group: "'" },
];

/** Counts of the cells that are numbers, for each notation; `grouped`: of those in which it groups digits. */
interface Fits {
  readonly cells: Float64Array;
  readonly grouped: Float64Array;
}

/** The cells with the same words beside the number. */
interface Shape extends Fits {
  readonly words: readonly NumberWord[];
  count: number;
  /** The first cell by code points. */
  example: string;
  different: number;
  isMeasured: boolean;
  hasZeros: boolean;
  /** Number of digits; −1: it differs. */
  width: number;
}

/** A notation, and the number of cells that it fits. */
interface ChosenNotation {
  readonly notation: NumberNotation;
  readonly cells: number;
  /** Number of its cells with the unit, if there are more numbers other than 0 without it; null: it is usual. */
  readonly rare: number | null;
}

/** Maximum number of examples that are kept for a note. */
const mostExamples = 20;
/** A column with more different words beside its numbers has no quantities. */
const mostShapes = 64;
/** Maximum share of the numbers that are in other units than most. */
const mostOthers = 0.05;

const emptyFits = (): Fits => ({
  cells: new Float64Array(notations.length),
  grouped: new Float64Array(notations.length),
});

/** Counts which notations of numbers fit the cells of a column. */
export class NotationTally {
  /** Cells that are plain numbers, and those of them that are 0. */
  plain = 0;
  #zeros = 0;
  /** Cells with a word, a mark or a sign that plain numbers do not have. */
  notated = 0;
  /** The first different ones of them. */
  readonly examples = new Set<string>();
  /** Numbers in several units, of which none has nearly all: one of each; found by {@link choose}. Null: no such. */
  mixture: readonly string[] | null = null;
  /** A number with a point before each three digits, if all with a point are such; null: there is none. */
  pointed: string | null = null;
  /** Cells with such points, of at most three digits, and others. */
  readonly #points = { grouped: 0, short: 0, others: 0 };
  readonly #plain = emptyFits();
  /** By the words beside the number. */
  readonly #shapes = new Map<string, Shape>();
  /** Number of cells with each spelling of a word. */
  readonly #texts = new Map<string, number>();
  #enclosed = 0;

  /** Adds cells of the same text, without surrounding blanks. */
  add(text: string, count = 1): void {
    if (Number.isFinite(numberCell(text))) {
      this.#addPlain(text, count);
      return;
    }
    const parts = numberParts(text);
    const shape = parts === null ? null : this.#shapeOf(parts.words, text);
    if (parts === null || shape === null) return;
    this.notated += count;
    if (this.examples.size < mostExamples) this.examples.add(text);
    if (parts.isEnclosed) this.#enclosed += count;
    for (const word of parts.words) this.#texts.set(word.text, (this.#texts.get(word.text) ?? 0) + count);
    this.#addPoints(text, parts.digits, count);
    const width = parts.digits.length;
    shape.different += shape.count === 0 || text !== shape.example ? 1 : 0;
    if (compareCodePoints(text, shape.example) < 0) shape.example = text;
    shape.width = shape.count === 0 || shape.width === width ? width : -1;
    shape.isMeasured ||= /\D/.test(parts.digits);
    shape.hasZeros ||= /^0\d/.test(parts.digits);
    shape.count += count;
    notations.forEach((notation, n) => {
      if (partsValue(parts, notation) === null) return;
      shape.cells[n]! += count;
      if (isGrouped(parts, notation)) shape.grouped[n]! += count;
    });
  }

  /** Counts what the points of numbers may mean. */
  #addPoints(text: string, digits: string, count: number): void {
    const isGrouped = /^[1-9]\d{0,2}(?:\.\d{3})+$/.test(digits);
    this.#points[isGrouped ? 'grouped' : /^\d{1,3}$/.test(digits) ? 'short' : 'others'] += count;
    if (isGrouped && (this.pointed === null || compareCodePoints(text, this.pointed) < 0)) this.pointed = text;
    if (this.#points.others > 0) this.pointed = null;
  }

  /** A plain number fits each notation with a point; without a point, all; and 1.234 one that groups digits so. */
  #addPlain(text: string, count: number): void {
    this.plain += count;
    this.#addPoints(text, text.replace(/^[+-]/, ''), count);
    if (numberCell(text) === 0) this.#zeros += count;
    const { cells, grouped } = this.#plain;
    const hasPoint = text.includes('.');
    const parts = hasPoint && text.length > 4 ? numberParts(text) : null;
    notations.forEach((notation, n) => {
      const isKept = notation.decimal === '.' || !hasPoint;
      if (!isKept && (parts === null || partsValue(parts, notation) === null)) return;
      cells[n]! += count;
      if (!isKept) grouped[n]! += count;
    });
  }

  #shapeOf(words: readonly NumberWord[], example: string): Shape | null {
    const name = words.map(({ key, isBefore, isApart }) => `${isBefore} ${isApart} ${key}`).join('\n');
    const known = this.#shapes.get(name);
    if (known !== undefined || this.#shapes.size >= mostShapes) return known ?? null;
    const facts = { count: 0, example, different: 0, isMeasured: false, hasZeros: false, width: 0 };
    const made = { ...emptyFits(), words, ...facts };
    this.#shapes.set(name, made);
    return made;
  }

  /** Returns the longest example that a notation fits; null: there is none. */
  exampleOf(notation: NumberNotation): string | null {
    const read = notatedNumbers(notation);
    let best: string | null = null;
    const pointed = notation.group === '.' && this.pointed !== null ? [this.pointed] : [];
    for (const example of [...this.examples, ...pointed])
      if (Number.isFinite(read(example) ?? Number.NaN) && example.length > (best?.length ?? 0)) best = example;
    return best;
  }

  /**
   * Returns the notation that fits most cells; null if plain numbers are as many, or if there are several units.
   *
   * @param given the decimal mark, if it is known.
   * @param semicolons true if semicolons separate the cells. Then points before three digits, beside short numbers
   *   without a point, group digits.
   */
  choose(given?: '.' | ',', semicolons = false): ChosenNotation | null {
    this.mixture = null;
    const { grouped: points, short, others: none } = this.#points;
    const decimal = given ?? (semicolons && points > 1 && short > 0 && none === 0 ? ',' : undefined);
    const factors = factorsAmong([...this.#shapes.values()].flatMap(({ words }) => words));
    const units = this.#units(factors);
    const without = units.get('')!;
    let best: { unit: string; n: number; grouped: number } | null = null;
    let most = decimal === ',' ? 0 : this.plain;
    for (const [unit, own] of units)
      notations.forEach((notation, n) => {
        const cells = own.cells[n]! + (unit === '' ? 0 : without.cells[n]!);
        if (cells <= most || (decimal ?? notation.decimal) !== notation.decimal || this.#isDoubtful(unit, own, n))
          return;
        best = { unit, n, grouped: own.grouped[n]! + (unit === '' ? 0 : without.grouped[n]!) };
        most = cells;
      });
    // Numbers that are all in parentheses are marks of another meaning, as of footnotes.
    if (best === null || this.#enclosed >= most || this.#areBounds(most)) return null;
    const { unit, n, grouped } = best as { unit: string; n: number; grouped: number };
    const others = [...units].filter(([other, { cells }]) => other !== unit && other !== '' && cells[n]! > 0);
    const foreign = others.reduce((sum, [, { cells }]) => sum + cells[n]!, 0);
    if (foreign > mostOthers * (most + foreign)) {
      const all = unit === '' ? others : [[unit, units.get(unit)!] as const, ...others];
      if (all.length > 1) this.mixture = all.map(([, { example }]) => example).sort(compareCodePoints);
      return null;
    }
    const { decimal: mark, group } = notations[n]!;
    const own = units.get(unit)!;
    const [first, ...second] = unit === '' ? [] : unit.split('\n');
    const words = new Map<string, number | null>(second.map((key) => [key, 1]));
    for (const { words: used } of [without, own])
      for (const { key, role } of used) if (role !== 'unit' || factors.has(key)) words.set(key, factors.get(key) ?? 1);
    for (const [other] of others)
      for (const key of other.split('\n')) if (!unit.split('\n').includes(key)) words.set(key, null);
    const noted = [...words].map(([key, factor]): NotedWord => ({ text: this.#textOf(key), factor }));
    const isRare = unit !== '' && own.cells[n]! < without.cells[n]! - this.#zeros;
    return {
      notation: {
        decimal: mark,
        ...(grouped > 0 ? { group } : {}),
        ...(first === undefined ? {} : { unit: this.#textOf(first) }),
        ...(noted.length === 0 ? {} : { words: noted.sort((a, b) => compareCodePoints(a.text, b.text)) }),
      },
      cells: most,
      rare: isRare ? own.cells[n]! : null,
    };
  }

  /** Returns the counts of cells by the keys of their units; '': of cells without one, plain ones included. */
  #units(factors: ReadonlyMap<string, number>) {
    const isUnit = ({ key, role }: NumberWord) => role !== 'mark' && !factors.has(key);
    const groups = new Map<string, Shape[]>([['', []]]);
    for (const shape of this.#shapes.values()) {
      const unit = shape.words
        .filter(isUnit)
        .map(({ key }) => key)
        .sort(compareCodePoints)
        .join('\n');
      groups.set(unit, [...(groups.get(unit) ?? []), shape]);
    }
    // Of 120/80 and 130/100 the second number is no unit.
    const scales = [...groups.keys()].filter((unit) => scaleEnd.test(unit));
    if (scales.length > 1) for (const scale of scales) groups.delete(scale);
    const units = new Map<string, Fits & { readonly words: readonly NumberWord[]; readonly example: string }>();
    for (const [unit, shapes] of groups) {
      const evidence = {
        different: shapes.reduce((sum, { different }) => sum + different, 0),
        isMeasured: shapes.some(({ isMeasured }) => isMeasured),
        hasZeros: shapes.some(({ hasZeros }) => hasZeros),
        width: shapes.every(({ width }) => width === shapes[0]!.width) ? (shapes[0]?.width ?? 0) : -1,
      };
      const readable = shapes.filter(({ words }) => areUnits(words.filter(isUnit), evidence));
      if (unit !== '' && readable.length === 0) continue;
      const fits = emptyFits();
      for (const each of unit === '' ? [...readable, this.#plain] : readable)
        for (let n = 0; n < notations.length; n++) {
          fits.cells[n]! += each.cells[n]!;
          fits.grouped[n]! += each.grouped[n]!;
        }
      const example = readable.map(({ example }) => example).sort(compareCodePoints)[0] ?? '';
      units.set(unit, { ...fits, words: readable.flatMap(({ words }) => words), example });
    }
    return units;
  }

  /** Percent signs on few of many numbers may mean hundredths of them. */
  #isDoubtful(unit: string, { cells }: Fits, n: number): boolean {
    return /^[%‰]$/.test(unit) && cells[n]! < this.#plain.cells[n]! - this.#zeros;
  }

  /** Tests if most cells are lower and upper bounds, which are no numbers: `<18`, `>65`. */
  #areBounds(cells: number): boolean {
    let bounds = 0;
    const signs = new Set<string>();
    for (const { words, count } of this.#shapes.values()) {
      const sign = words
        .find(({ key }) => /^[<>≤≥]/.test(key))
        ?.key.replace('≤', '<')
        .replace('≥', '>')[0];
      if (sign === undefined) continue;
      bounds += count;
      signs.add(sign);
    }
    return signs.size > 1 && bounds * 2 > cells;
  }

  /** Returns the most frequent spelling of a word. */
  #textOf(key: string): string {
    const texts = [...this.#texts].filter(([text]) => wordKey(text) === key);
    return texts.sort(([a, m], [b, n]) => n - m || compareCodePoints(a, b))[0]![0];
  }
}

function isGrouped({ digits }: NumberParts, { decimal }: NumberNotation): boolean {
  const at = digits.indexOf(decimal);
  return /\D/.test(at === -1 ? digits : digits.slice(0, at));
}
