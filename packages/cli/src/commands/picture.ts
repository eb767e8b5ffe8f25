import { HalfspaceError, type RuleName } from 'halfspace';
import { openWhole } from 'halfspace/node';
import { labelByName, listed } from 'halfspace/tables';
import { type Algorithm, defaultAlgorithm } from 'halfspace-lab/algorithm/algorithm.ts';
import type { Table } from 'halfspace-lab/data/dataset.ts';
import { openText } from 'halfspace-lab/data/table-text.ts';
import type { SurfaceRequest } from 'halfspace-lab/engine/engine.ts';
import { LocalEngine } from 'halfspace-lab/engine/local-engine.ts';
import { momentAt, type Recording } from 'halfspace-lab/engine/recording.ts';
import { frameOf, stillOf, titleOf, writtenStill } from 'halfspace-lab/export/still.ts';
import { Surfaces } from 'halfspace-lab/state/surfaces.ts';
import { plane } from 'halfspace-lab/views/plane/plane.ts';
import type { Plane, Scene } from 'halfspace-lab/views/view.ts';
import { claimFiles } from '../files/claim.ts';
import { openServedTable } from '../lab/served-table.ts';
import type { CommandOptions } from '../options.ts';
import { printResult, writeBytes } from '../output.ts';
import { section } from '../report/format.ts';
import { givenRuleOptions } from '../rule-flags.ts';
import { usage } from '../usage.ts';

type PictureOptions = CommandOptions<'picture'> & { readonly rule?: RuleName };

/** Runs `halfspace picture`: draws what the lab's plane shows at the end of a run. */
export async function picture(data: readonly string[], given: PictureOptions): Promise<void> {
  const options = await claimFiles('picture', { data }, given);
  const path = options.output!;
  const format = /\.tex$/i.test(path) ? 'tex' : path === '-' || /\.svg$/i.test(path) ? 'svg' : null;
  if (format === null) throw usage(`expected --output to end in .svg, or in .tex for TikZ; got ${path}`);
  const file = path === '-' ? null : openWhole(path);
  try {
    const engine = new LocalEngine();
    const scene = await sceneOf(engine, await tableOf(data, options), options);
    // Scores the plane where the boundary is no line.
    const surfaces = new Surfaces(engine, scene);
    const score = (request: SurfaceRequest) => surfaces.at(request);
    const still = await stillOf(plane, scene, frameOf(options.size ?? 'page'), score, options.caption);
    const { theme = 'light', transparent = false } = options;
    const text = writtenStill(still, format, titleOf(plane, scene), { theme, transparent });
    if (file === null) await writeBytes(Buffer.from(text));
    else {
      file.append(text);
      file.finish();
    }
    const { notes } = scene.examples;
    const lines = [...(file === null ? [] : [path]), plane.describe(scene)];
    await printResult(false, { json: () => ({}), text: () => section('Picture', lines), notes }, file === null);
  } catch (error) {
    // The lab says what is wrong of the one table that it shows.
    if (!(error instanceof HalfspaceError) || error.code === 'option-invalid' || error.where.source !== undefined)
      throw error;
    throw error.at({ source: data.join(', ') || 'query' });
  } finally {
    file?.discard();
  }
}

/** Opens DATA as a dataset of the lab. */
async function tableOf(data: readonly string[], options: PictureOptions): Promise<Table> {
  const { name, pieces } = await openServedTable(data, options);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of pieces()) parts.push(new Uint8Array(piece));
  const file = new Blob(parts);
  const names = (await openText(file, name)).columns.map((column) => column.name);
  return {
    kind: 'table',
    name,
    text: '',
    file,
    label: options.label ?? labelByName(names) ?? names.at(-1)!,
    positive: options.positive ?? null,
    columns: options.columns ?? null,
    scale: options.scale ?? 'standard',
    ...(options.missing === undefined ? {} : { reading: { missing: options.missing } }),
  };
}

async function sceneOf(engine: LocalEngine, dataset: Table, options: PictureOptions): Promise<Scene> {
  const { rule = 'perceptron', seed = 1, show = [] } = options;
  const algorithm = { ...defaultAlgorithm, rule, seed, options: givenRuleOptions(options) } as Algorithm;
  const examples = await engine.open(dataset);
  const { classes } = examples.encoding.label;
  if (classes.length > 2 && dataset.positive === null)
    throw new HalfspaceError(
      'label-classes',
      `expected two classes, or one of them by --positive; got ${classes.length} in “${dataset.label}”: ${listed(classes)}`,
    );
  const recording = await engine.run(algorithm);
  const layers = { update: false, contradiction: false, ...Object.fromEntries(show.map((id) => [id, true])) };
  const judged = show.some((id) => id !== 'radius');
  return {
    // The lab reads all tables as CSV; this one may be in another format.
    dataset: { ...dataset, name: dataset.name.replace(/\.csv$/, '') },
    algorithm,
    examples,
    recording,
    // No example is at its turn after the end.
    moment: { ...momentAt(recording, recording.steps), row: -1, updated: false },
    verdict: judged ? await engine.verdict() : null,
    curve: null,
    surface: null,
    selected: null,
    look: {
      plane: planeOf(recording, examples.featureNames, options),
      window: null,
      turn: { yaw: 0, pitch: 0 },
      choices: {},
      layers,
    },
  };
}

/** Returns the plane that was asked for. Two named columns are its axes, whatever features they make. */
function planeOf(
  recording: Recording,
  names: readonly string[],
  { plane: asked, columns = [] }: PictureOptions,
): Plane {
  const [across, upwards] = columns.map((name) => names.indexOf(name));
  if (asked === undefined && columns.length === 2 && across! >= 0 && upwards! >= 0)
    return { kind: 'features', horizontal: across!, vertical: upwards! };
  if (asked !== 'weights') return { kind: 'normal' };
  const { present, answer } = momentAt(recording, recording.steps);
  const line = answer ?? present;
  if (line === null) throw usage(`--plane weights needs a rule with weights; got the rule ${recording.model.rule}`);
  const strongest = Array.from(line.weights, (weight, j) => [Math.abs(weight), j] as const).sort(
    ([a, i], [b, j]) => b - a || i - j,
  );
  const [horizontal = 0, vertical = 1] = strongest.map(([, j]) => j);
  return { kind: 'features', horizontal, vertical };
}
