import type { Dataset, Label, Point } from '../data/dataset.ts';
import { dataPresets, type PresetValues } from '../data/presets.ts';
import { presetDataset, tablePresets } from '../data/table-presets.ts';
import { type SavedState, savedStateAsJson } from './saved-state.ts';

/**
 * Points on a grid: coordinates are whole numbers over 10^decimals, counted from the least in as many bits as they
 * need.
 */
interface PointGrid {
  readonly count: number;
  readonly decimals: number;
  /** The least numbers of each coordinate, and the bits of the others above them. */
  readonly least: readonly [x: number, y: number];
  readonly bits: readonly [x: number, y: number];
}

const mostDecimals = 6;
/** Bits beyond which numbers of 32 bits overflow. */
const mostBits = 30;

/** Packs points into bytes: for each one x, y and a bit for the class. Returns null if a coordinate is on no grid. */
export function packPoints(points: readonly Point[]): { readonly grid: PointGrid; readonly bytes: Uint8Array } | null {
  const decimals = decimalsOf(points.flatMap(({ x, y }) => [x, y]));
  if (points.length === 0 || decimals === null) return null;
  const scaled = points.map(({ x, y }) => [Math.round(x * 10 ** decimals), Math.round(y * 10 ** decimals)] as const);
  const least = [0, 1].map((k) => scaled.reduce((low, place) => Math.min(low, place[k]!), Infinity));
  const bits = [0, 1].map((k) => bitsOf(scaled.reduce((most, place) => Math.max(most, place[k]! - least[k]!), 0)));
  if (Math.max(...bits) > mostBits) return null;
  const writer = new Uint8Array(Math.ceil((points.length * (bits[0]! + bits[1]! + 1)) / 8));
  let at = 0;
  const write = (value: number, width: number) => {
    for (let bit = 0; bit < width; bit++, at++) writer[at >> 3]! |= ((value >>> bit) & 1) << (at & 7);
  };
  for (const [k, { label }] of points.entries()) {
    for (const axis of [0, 1]) write(scaled[k]![axis]! - least[axis]!, bits[axis]!);
    write(label > 0 ? 1 : 0, 1);
  }
  return { grid: { count: points.length, decimals, least: pair(least), bits: pair(bits) }, bytes: writer };
}

/** Returns packed points. @throws Error if the bytes are not as many as the grid says. */
export function unpackPoints({ count, decimals, least, bits }: PointGrid, bytes: Uint8Array): Point[] {
  const wanted = Math.ceil((count * (bits[0] + bits[1] + 1)) / 8);
  const isGrid = Number.isSafeInteger(count) && bits.every((width) => width >= 0 && width <= mostBits);
  if (!isGrid || wanted !== bytes.length) throw new Error(`expected ${wanted} bytes of points; got ${bytes.length}`);
  let at = 0;
  const read = (width: number) => {
    let value = 0;
    for (let bit = 0; bit < width; bit++, at++) value |= ((bytes[at >> 3]! >> (at & 7)) & 1) << bit;
    return value;
  };
  const place = (axis: 0 | 1) => (least[axis] + read(bits[axis])) / 10 ** decimals;
  return Array.from({ length: count }, () => {
    const [x, y] = [place(0), place(1)];
    return { x, y, label: (read(1) === 1 ? 1 : -1) as Label };
  });
}

/** Returns the number of decimals that all numbers are written with; null: some have more than a grid may have. */
function decimalsOf(numbers: readonly number[]): number | null {
  for (let decimals = 0; decimals <= mostDecimals; decimals++) {
    const scale = 10 ** decimals;
    if (
      numbers.every((value) => Math.abs(value * scale) < 2 ** mostBits && Math.round(value * scale) / scale === value)
    )
      return decimals;
  }
  return null;
}

const bitsOf = (most: number): number => (most === 0 ? 0 : Math.floor(Math.log2(most)) + 1);

const pair = ([a, b]: readonly number[]): readonly [number, number] => [a!, b!];

type Json = Record<string, unknown>;

/** A state without what it shares with a preset and with the defaults, and the bytes of its points. */
export interface ShortState {
  readonly plain: Json;
  readonly bytes: Uint8Array;
}

/** The state that links leave out. It must never change, because links that stand somewhere rely on it. */
const defaults: Readonly<Record<string, Json>> = {
  algorithm: { as: null, rule: 'perceptron', options: {}, order: null, passes: null, seed: 1, holdout: 0 },
  look: {
    plane: { kind: 'features', horizontal: 0, vertical: 1 },
    window: null,
    turn: { yaw: 35, pitch: 25 },
    choices: {},
  },
  rest: { step: 0, shown: ['proof', 'step'] },
};

/** Number of points that may differ from those of a preset; beyond it all are written. */
const mostChanges = 8;

export async function shorten(state: SavedState): Promise<ShortState> {
  const { dataset, algorithm, look, ...rest } = savedStateAsJson(state);
  const [data, bytes] = await shortData(state.dataset, dataset as Json);
  const [own, seen] = [
    different(algorithm as Json, defaults.algorithm!),
    different(look as Json, { ...defaults.look, space: 'coordinate' }),
  ];
  const { version: _, ...others } = different(rest, defaults.rest!);
  const plain = {
    data,
    ...(Object.keys(own).length === 0 ? {} : { algorithm: own }),
    ...(Object.keys(seen).length === 0 ? {} : { look: seen }),
    ...others,
  };
  return { plain, bytes };
}

/**
 * Returns a state as `parseSavedState` reads it.
 * @throws Error for data that are not as {@link shorten} writes them.
 */
export async function lengthen({ plain, bytes }: ShortState): Promise<Json> {
  const { data, algorithm, look, ...rest } = plain;
  return {
    version: 1,
    ...defaults.rest,
    ...rest,
    dataset: await longData(data as Json, bytes),
    algorithm: { ...defaults.algorithm, ...(algorithm as Json) },
    look: { ...defaults.look, ...(look as Json) },
  };
}

const none = new Uint8Array();

async function shortData(dataset: Dataset, whole: Json): Promise<[Json, Uint8Array]> {
  const drawn = dataset.kind === 'points';
  const listed = drawn
    ? dataPresets.find((preset) => preset.make(dataset.made).name === dataset.name)
    : tablePresets.find(({ id }) => dataset.name === `${id}.csv`);
  const made = listed === undefined ? null : await presetDataset(listed.id, drawn ? dataset.made : {});
  if (!drawn) {
    if (made?.kind !== 'table' || made.text !== dataset.text) return [whole, none];
    return [{ preset: listed!.id, ...different(whole, { ...made }) }, none];
  }
  if (made?.kind === 'points' && made.dimension === dataset.dimension) {
    const changes = changesOf(made.points, dataset.points);
    const sliders = made.made === undefined ? {} : { made: made.made };
    if (changes !== null)
      return [{ preset: listed!.id, ...sliders, ...(changes.length === 0 ? {} : { changes }) }, none];
  }
  const packed = packPoints(dataset.points);
  if (packed === null) return [whole, none];
  const { count, decimals, least, bits } = packed.grid;
  const { kind: _, points: __, made: ___, ...rest } = whole;
  return [{ ...different(rest, { dimension: 2 }), grid: [count, decimals, ...least, ...bits] }, packed.bytes];
}

async function longData(given: Json, bytes: Uint8Array): Promise<Json> {
  const { preset, made: sliders, changes = [], grid, ...rest } = given;
  if (Array.isArray(grid)) {
    const [count, decimals, x, y, across, up] = grid as number[];
    const sizes: PointGrid = { count: count!, decimals: decimals!, least: [x!, y!], bits: [across!, up!] };
    return { kind: 'points', dimension: 2, ...rest, points: listOf(unpackPoints(sizes, bytes)) };
  }
  if (typeof preset !== 'string') return given;
  const made = await presetDataset(preset, slidersOf(preset, sliders));
  if (made.kind === 'table') return { ...made, ...rest };
  const points: unknown[] = listOf(made.points);
  for (const [at, ...point] of changes as number[][]) points[at!] = point;
  return { ...made, points };
}

/** Reads values of a preset's sliders. @throws Error for a value that its slider does not reach. */
function slidersOf(id: string, given: unknown): PresetValues {
  const values = (given ?? {}) as Json;
  const { parameters } = dataPresets.find((preset) => preset.id === id) ?? { parameters: [] };
  return Object.fromEntries(
    parameters.flatMap((parameter): [string, number][] => {
      const { id: name, from, to } = parameter;
      if (!Object.hasOwn(values, name)) return [];
      const value = values[name];
      if (typeof value !== 'number' || !(value >= from && value <= to))
        throw new Error(`expected ${name} to be in [${from}, ${to}]; got ${String(value).slice(0, 40)}`);
      return [[name, value]];
    }),
  );
}

const listOf = (points: readonly Point[]): number[][] => points.map(({ x, y, label }) => [x, y, label]);

/** Returns the points that differ, each after its position; null: there are too many, or they are not as many. */
function changesOf(made: readonly Point[], present: readonly Point[]): number[][] | null {
  if (made.length !== present.length) return null;
  const [before, after] = [listOf(made), listOf(present)];
  const changes = after.flatMap((point, k) =>
    point.every((value, j) => value === before[k]![j]) ? [] : [[k, ...point]],
  );
  return changes.length <= mostChanges ? changes : null;
}

/** Returns the members that are not as the defaults have them. */
function different(given: Json, standard: Json): Json {
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(standard[name])),
  );
}
