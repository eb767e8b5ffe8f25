import type { ColumnKind, PresetName, RuleName } from 'halfspace';
import { presets } from 'halfspace/rules';
import type { Algorithm } from '../algorithm/algorithm.ts';
import { ruleSpecs } from '../algorithm/rules.constant.ts';
import type { Dataset, Point, Reading } from '../data/dataset.ts';
import type { Look, Plane } from '../views/view.ts';

/** The state that links, reloads and tours restore. Plain data; later versions of the page must be able to read it. */
export interface SavedState {
  readonly version: 1;
  readonly dataset: Dataset;
  readonly algorithm: Algorithm;
  readonly step: number;
  readonly shown: readonly [first: string, second: string];
  readonly look: Look;
}

/** The kinds that a user can name. */
export const columnKinds: readonly ColumnKind[] = ['number', 'category', 'text', 'set', 'date', 'boolean'];

/** Maximum number of points, and of characters, that a saved state may have. */
const mostPoints = 100_000;
const mostText = 1 << 28;
const orders = ['cyclic', 'shuffled', 'shuffled-once', 'random'] as const;

/**
 * Reads a saved state, and checks every member, because it may come from anywhere.
 * @throws Error that names the first member that is wrong.
 */
export function parseSavedState(given: unknown): SavedState {
  const kept = object(given, 'the state');
  if (kept.version !== 1) throw expected('version', '1', kept.version);
  const shown = array(kept.shown, 'shown').map((id) => text(id, 'shown'));
  if (shown.length !== 2) throw expected('shown', 'two views', kept.shown);
  return {
    version: 1,
    dataset: datasetOf(kept.dataset),
    algorithm: algorithmOf(kept.algorithm),
    step: whole(kept.step, 'step'),
    shown: [shown[0]!, shown[1]!],
    look: lookOf(kept.look),
  };
}

function datasetOf(given: unknown): Dataset {
  const data = object(given, 'dataset');
  const name = text(data.name, 'dataset.name').slice(0, 200);
  if (data.kind === 'points') {
    if (data.dimension !== 1 && data.dimension !== 2) throw expected('dataset.dimension', '1 or 2', data.dimension);
    const points = array(data.points, 'dataset.points');
    if (points.length > mostPoints) throw expected('dataset.points', `at most ${mostPoints}`, points.length);
    const made =
      data.made === undefined
        ? null
        : Object.entries(object(data.made, 'dataset.made')).map(([id, value]) => [id, finite(value, 'dataset.made')]);
    const set = { kind: 'points', name, dimension: data.dimension, points: points.map(pointOf) } as const;
    return made === null ? set : { ...set, made: Object.fromEntries(made) };
  }
  if (data.kind !== 'table') throw expected('dataset.kind', 'points or table', data.kind);
  const content = text(data.text, 'dataset.text');
  const { file } = data;
  if (file !== undefined && !(file instanceof Blob)) throw expected('dataset.file', 'a file', file);
  if (content.length > mostText) throw expected('dataset.text', 'shorter text', content.length);
  if (data.scale !== 'none' && data.scale !== 'standard')
    throw expected('dataset.scale', 'none or standard', data.scale);
  return {
    kind: 'table',
    name,
    text: content,
    ...(file === undefined ? {} : { file }),
    label: text(data.label, 'dataset.label'),
    positive: data.positive === null ? null : text(data.positive, 'dataset.positive'),
    columns:
      data.columns === null
        ? null
        : array(data.columns, 'dataset.columns').map((each) => text(each, 'dataset.columns')),
    scale: data.scale,
    ...(data.reading === undefined ? {} : { reading: readingOf(data.reading) }),
  };
}

function readingOf(given: unknown): Reading {
  const { header, skipLines, missing, kinds, ...texts } = object(given, 'dataset.reading');
  if (header !== undefined && typeof header !== 'boolean') throw expected('dataset.reading.header', 'a truth', header);
  if (skipLines !== undefined) whole(skipLines, 'dataset.reading.skipLines');
  for (const word of array(missing ?? [], 'dataset.reading.missing')) text(word, 'dataset.reading.missing');
  for (const kind of Object.values(object(kinds ?? {}, 'dataset.reading.kinds')))
    if (!columnKinds.includes(kind as ColumnKind))
      throw expected('dataset.reading.kinds', columnKinds.join(', '), kind);
  for (const [name, value] of Object.entries(texts)) text(value, `dataset.reading.${name}`);
  return given as Reading;
}

function pointOf(given: unknown): Point {
  // Points are saved as [x, y, label], which takes half the characters of an object.
  const [x, y, label] = array(given, 'a point');
  if (label !== 1 && label !== -1) throw expected("a point's label", '1 or −1', label);
  return { x: finite(x, 'a point'), y: finite(y, 'a point'), label };
}

/** Returns a state as plain data that {@link parseSavedState} reads. */
export function savedStateAsJson({ dataset, ...rest }: SavedState): Readonly<Record<keyof SavedState, unknown>> {
  if (dataset.kind === 'table') return { ...rest, dataset };
  return { ...rest, dataset: { ...dataset, points: dataset.points.map(({ x, y, label }) => [x, y, label]) } };
}

function algorithmOf(given: unknown): Algorithm {
  const { as, rule, options, order, passes, seed, holdout } = object(given, 'algorithm');
  if (as !== null && !(typeof as === 'string' && Object.hasOwn(presets, as)))
    throw expected('algorithm.as', 'a lecture', as);
  if (!(typeof rule === 'string' && Object.hasOwn(ruleSpecs, rule))) throw expected('algorithm.rule', 'a rule', rule);
  if (order !== null && !(orders as readonly unknown[]).includes(order))
    throw expected('algorithm.order', 'an order', order);
  const share = finite(holdout, 'algorithm.holdout');
  if (!(share >= 0 && share <= 0.9)) throw expected('algorithm.holdout', 'a share in [0, 0.9]', holdout);
  const values = Object.entries(object(options, 'algorithm.options'));
  for (const [name, value] of values)
    if (!['number', 'string', 'boolean'].includes(typeof value))
      throw expected(`algorithm.options.${name}`, 'a number, text or truth', value);
  return {
    as: as as PresetName | null,
    rule: rule as RuleName,
    options: Object.fromEntries(values) as Algorithm['options'],
    order: order as Algorithm['order'],
    passes: passes === null ? null : whole(passes, 'algorithm.passes'),
    seed: whole(seed, 'algorithm.seed'),
    holdout: share,
  };
}

function lookOf(given: unknown): Look {
  const { plane, window, turn, choices, space, drawing, ...rest } = object(given, 'look');
  const { yaw, pitch } = object(turn, 'look.turn');
  const chosen = Object.entries(object(choices, 'look.choices')).map(([id, choice]) => [
    id,
    text(choice, 'look.choices'),
  ]);
  return {
    // Members of later versions are kept; views that do not know them ignore them.
    ...(plainOnly(rest) as object),
    plane: planeOf(plane),
    window: window === null ? null : windowOf(window),
    turn: { yaw: finite(yaw, 'look.turn'), pitch: finite(pitch, 'look.turn') },
    choices: Object.fromEntries(chosen),
    // A state that does not name a space has the default.
    ...(space === 'apart' ? { space } : {}),
    ...(drawing === undefined ? {} : { drawing: drawingOf(drawing) }),
  };
}

/** Copies what JSON can hold (text, numbers, booleans, lists and records), without members named `__proto__`. */
function plainOnly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainOnly);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => (name === '__proto__' ? [] : [[name, plainOnly(each)]])),
  );
}

/** Maximum number of pixels of a drawing. */
const mostPixels = 32 * 32;

function drawingOf(given: unknown): number[] {
  const pixels = array(given, 'look.drawing').map((ink) => finite(ink, 'look.drawing'));
  if (pixels.length > mostPixels || pixels.some((ink) => ink < 0 || ink > 1))
    throw expected('look.drawing', `at most ${mostPixels} numbers in [0, 1]`, pixels.length);
  return pixels;
}

function planeOf(given: unknown): Plane {
  const { kind, horizontal, vertical } = object(given, 'look.plane');
  if (kind === 'normal') return { kind };
  if (kind !== 'features') throw expected('look.plane', 'features or normal', kind);
  return { kind, horizontal: whole(horizontal, 'look.plane'), vertical: whole(vertical, 'look.plane') };
}

function windowOf(given: unknown): Look['window'] {
  const { from, to } = object(given, 'look.window');
  const corner = (value: unknown): readonly [number, number] => {
    const [x, y] = array(value, 'look.window');
    return [finite(x, 'look.window'), finite(y, 'look.window')];
  };
  const [a, b] = [corner(from), corner(to)];
  if (!(a[0] < b[0] && a[1] < b[1])) throw expected('look.window', 'corners that rise', JSON.stringify(given));
  return { from: a, to: b };
}

function expected(what: string, wanted: string, came: unknown): Error {
  const shown = typeof came === 'string' ? JSON.stringify(came.slice(0, 40)) : String(came);
  return new Error(`expected ${what} to be ${wanted}; got ${shown}`);
}

function object(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw expected(what, 'a record', value);
  return value as Record<string, unknown>;
}

function array(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw expected(what, 'a list', value);
  return value;
}

function text(value: unknown, what: string): string {
  if (typeof value !== 'string') throw expected(what, 'text', value);
  return value;
}

function finite(value: unknown, what: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw expected(what, 'a number', value);
  return value;
}

function whole(value: unknown, what: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw expected(what, 'a whole number', value);
  return value as number;
}
