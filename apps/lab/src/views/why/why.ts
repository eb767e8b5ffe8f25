import type { Algorithm } from '../../algorithm/algorithm.ts';
import { choiceById, choose } from '../../algorithm/catalogue.ts';
import type { Dataset } from '../../data/dataset.ts';
import { companionKey, type Reach } from '../../engine/companion.ts';
import type { NotSeparable } from '../../engine/verdict.ts';
import { wrapped } from '../../picture/labels.ts';
import { classRole, exampleMark, lineMark, textMark } from '../../picture/marks.ts';
import { countText, numberText } from '../../picture/numbers.ts';
import type { Frame, Mark, Picture } from '../../picture/picture.ts';
import { amountText, percentText } from '../../picture/shares.ts';
import { textWidth } from '../../picture/text-width.ts';
import type { Offer, Scene, View } from '../view.ts';

/** An algorithm that may do with data that no line separates. */
interface Remedy {
  readonly title: string;
  readonly change: (algorithm: Algorithm) => Algorithm;
}

const plain =
  (id: string, options: Algorithm['options'] = {}) =>
  (algorithm: Algorithm): Algorithm => ({ ...choose(choiceById(id), algorithm), options });

/** The algorithms that are tried, in the order in which they are drawn. */
export const remedies: readonly Remedy[] = [
  { title: 'Perceptron', change: plain('rule perceptron') },
  { title: 'Averaged', change: plain('rule averaged') },
  { title: 'Pocket', change: plain('rule pocket') },
  { title: 'Kernel', change: plain('rule kernel', { kernel: 'rbf' }) },
  { title: 'Tree', change: plain('rule tree') },
];

/** Returns the algorithms of the remedies, with the seed and passes of the shown one. */
function remedyAlgorithms(algorithm: Algorithm): Algorithm[] {
  return remedies.map(({ change }) => change({ ...algorithm, holdout: 0 }));
}

/** Returns drawn points without the examples of a proof; null: a table, or a class would be empty. */
function withoutOffenders(dataset: Dataset, { combination }: NotSeparable): Dataset | null {
  if (dataset.kind !== 'points') return null;
  const out = new Set(combination.map(({ row }) => row));
  const points = dataset.points.filter((_, row) => !out.has(row));
  const both = points.some(({ label }) => label > 0) && points.some(({ label }) => label < 0);
  return both ? { ...dataset, points } : null;
}

const requestOf = (scene: Scene) => ({ kind: 'reach', algorithms: remedyAlgorithms(scene.algorithm) }) as const;

function proofOf({ verdict }: Scene): NotSeparable | null {
  return verdict?.kind === 'not-separable' ? verdict : null;
}

/** Returns what the algorithms reach; null: not known yet, or not to be known. */
function reachOf(scene: Scene): Reach | null {
  return (scene.companions?.[companionKey(requestOf(scene))] ?? null) as Reach | null;
}

/** The examples of the proof, the largest weight first. */
function offendersOf({ combination }: NotSeparable) {
  return [...combination].sort((a, b) => b.weight - a.weight || a.row - b.row);
}

/** Shows why a run does not stop: the examples that prove it, and what other algorithms reach on the same data. */
export const why: View = {
  id: 'why',
  title: 'Why no end?',
  question: 'Why won’t it converge?',
  missing(scene) {
    const { verdict } = scene;
    if (verdict?.kind === 'separable')
      return 'A line separates these data, so the perceptron stops. Choose data that no line separates, such as XOR.';
    if (verdict?.kind === 'undecided')
      return 'It is not known if a line separates these data. Choose fewer rows or columns, so that a proof can be found.';
    return null;
  },
  offer: (scene) => (scene.verdict?.kind === 'separable' ? { title: 'Try XOR', preset: 'xor' } : null),
  offers(scene) {
    const proof = proofOf(scene);
    const reach = reachOf(scene);
    if (proof === null || reach === null) return [];
    const algorithms = remedyAlgorithms(scene.algorithm);
    const switches = remedies.flatMap(({ title }, k): Offer[] =>
      k === 0 || reach.results[k] === null ? [] : [{ title: `Use ${title}`, algorithm: algorithms[k]! }],
    );
    const rest = withoutOffenders(scene.dataset, proof);
    const count = proof.combination.length;
    return rest === null ? switches : [...switches, { title: `Remove ${amountText(count, 'example')}`, dataset: rest }];
  },
  companion: (scene) => (proofOf(scene) === null ? null : requestOf(scene)),
  draw(scene, frame) {
    const proof = proofOf(scene);
    return proof === null ? waiting(frame) : drawProof(scene, proof, frame);
  },
  describe(scene) {
    const proof = proofOf(scene);
    if (proof === null) return 'A proof is being looked for.';
    const offenders = offendersOf(proof)
      .slice(0, 8)
      .map(({ row, weight }) => `example ${countText(row + 1)} with weight ${numberText(weight)}`);
    const more = proof.combination.length > 8 ? ` and ${proof.combination.length - 8} more` : '';
    const reach = reachOf(scene);
    const reached =
      reach === null ? '' : ` ${remedies.flatMap(({ title }, k) => reachText(title, reach, k)).join('. ')}.`;
    return `${proofText(proof)} The proof has ${offenders.join(', ')}${more}.${reached}`;
  },
};

function proofText({ combination }: NotSeparable): string {
  return `No line separates these data: ${amountText(combination.length, 'example')}, mixed with these weights, give the same point in both classes. A line would have to have that point on both sides.`;
}

function reachText(title: string, { results }: Reach, k: number): string[] {
  const result = results[k];
  return result == null ? [] : [`${title}: ${countText(result.wrong)} of ${countText(result.rows)} wrong`];
}

function waiting({ width, height, text }: Frame): Picture {
  const style = { anchor: 'middle', fill: 'muted' } as const;
  return { width, height, marks: [textMark([width / 2, height / 2], 'a proof is being looked for …', text, style)] };
}

function drawProof(scene: Scene, proof: NotSeparable, frame: Frame): Picture {
  const { width, height, text } = frame;
  const marks: Mark[] = [];
  const [left, right] = [text * 0.6, width - text * 0.8];
  const size = text * 0.92;
  // Low pictures have the first sentence only, and the algorithms always have room.
  const below = text * (1.4 * remedies.length + 1.6);
  const whole = wrapped(proofText(proof), size, right - left);
  const first = wrapped(`${proofText(proof).split('. ')[0]}.`, size, right - left);
  let y = text * 0.9;
  for (const line of (whole.length + 3) * text * 1.3 + below < height ? whole : first) {
    marks.push(textMark([left, y], line, size));
    y += text * 1.25;
  }
  const offenders = offendersOf(proof);
  const room = Math.max(0, Math.floor((height - y - below) / (text * 1.35)));
  const listed = offenders.length <= room ? offenders : offenders.slice(0, Math.max(0, room - 1));
  y += text * 0.2;
  const from = left + textWidth('example 00000', size) + text * 1.2;
  const most = offenders[0]!.weight;
  const wide = right - from - textWidth('0.0000', size) - text * 0.6;
  for (const { row, weight } of listed) {
    const label = scene.examples.labels[row]!;
    const end = from + wide * (weight / most);
    marks.push(
      exampleMark(label, [left + text * 0.4, y], text * 0.8, { id: `offender ${row}` }),
      textMark([left + text * 1.2, y], `example ${countText(row + 1)}`, size),
      lineMark([from, y], [end, y], { stroke: classRole(label), width: 8.25, id: `weight ${row}` }),
      textMark([end + text * 0.6, y], numberText(weight), size, { fill: 'muted' }),
    );
    y += text * 1.35;
  }
  if (listed.length < offenders.length && room > 0) {
    const rest = amountText(offenders.length - listed.length, 'example');
    marks.push(
      textMark([left + text * 1.2, y], listed.length === 0 ? rest : `and ${rest} more`, size, { fill: 'muted' }),
    );
    y += text * 1.35;
  }
  marks.push(...reachMarks(scene, frame, [left, right], Math.min(y + text * 0.4, height - below + text * 0.7)));
  return { width, height, marks };
}

function reachMarks(scene: Scene, { text }: Frame, [left, right]: readonly [number, number], top: number): Mark[] {
  const size = text * 0.92;
  const reach = reachOf(scene);
  const marks: Mark[] = [
    textMark([left, top], 'What other rules reach on the same examples', size, { weight: 'bold' }),
  ];
  const from = left + textWidth('Perceptron', size) + text * 0.5;
  const wide = right - from - textWidth('100.0 % right', size) - text * 0.6;
  remedies.forEach(({ title }, k) => {
    const y = top + text * 1.4 * (k + 1);
    marks.push(textMark([left, y], title, size));
    const result = reach?.results[k];
    const words =
      reach === null
        ? '…'
        : result == null
          ? 'too many examples'
          : `${percentText(1 - result.wrong / result.rows)} right`;
    const end = result == null ? from : from + wide * (1 - result.wrong / result.rows);
    if (result != null) {
      marks.push(lineMark([from, y], [from + wide, y], { stroke: 'grid', width: 8.25 }));
      if (end > from) marks.push(lineMark([from, y], [end, y], { stroke: 'star', width: 8.25, id: `reach ${k}` }));
    }
    marks.push(
      textMark([result == null ? from : from + wide + text * 0.6, y], words, size, { fill: 'muted', id: `share ${k}` }),
    );
  });
  return marks;
}
