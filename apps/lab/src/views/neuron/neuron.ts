import { cornersOf } from '../../picture/clip.ts';
import { header } from '../../picture/labels.ts';
import { arrowMark, classRole, exampleMark, lineMark, pathMark, symbolMark, textMark } from '../../picture/marks.ts';
import { countText, numberText, subscript } from '../../picture/numbers.ts';
import type { Frame, Mark, Picture, Role, Spot } from '../../picture/picture.ts';
import { fitText, textWidth } from '../../picture/text-width.ts';
import type { Scene, View } from '../view.ts';
import { type Input, lineOf, type Neuron, neuronOf } from './parts.ts';

const choices = [
  { id: 'now', title: 'Weights now' },
  { id: 'before', title: 'Weights before' },
  { id: 'answer', title: 'Weights that answer' },
] as const;

const neuronAt = (scene: Scene): Neuron | null => {
  const line = lineOf(scene, scene.look.choices.neuron ?? choices[0].id);
  return line === null ? null : neuronOf(scene, line);
};

/** Shows the slides' picture: inputs, weights as strokes, their sum, the threshold, the class. */
export const neuron: View = {
  id: 'neuron',
  title: 'The neuron',
  question: 'What does it compute?',
  choices,
  missing(scene) {
    return neuronAt(scene) === null
      ? `The rule ${scene.algorithm.rule} is no single neuron: choose a rule that learns a line, such as perceptron.`
      : null;
  },
  draw(scene, frame) {
    const at = neuronAt(scene)!;
    const { absorbed, divisor } = scene.recording;
    const scaled = divisor === 1 ? '' : ` Inputs are divided by ${numberText(divisor)}.`;
    const head = header(
      frame,
      [
        { term: 'example', value: `x${subscript(at.row + 1)}`, role: 'muted' },
        { term: 'Σ wⱼ·xⱼ', value: numberText(at.sum), role: 'line' },
        ...(absorbed ? [] : [{ term: 'θ = −b', value: numberText(at.threshold), role: 'bound' as const }]),
        { term: 'score', value: numberText(at.score), role: classRole(at.answer) },
      ],
      `The wider a stroke, the larger its weight; solid is positive, dashed negative.${scaled}`,
    );
    return drawNeuron(scene, at, frame, head);
  },
  describe(scene) {
    const at = neuronAt(scene);
    if (at === null) return 'No neuron to show.';
    const { classes } = scene.examples;
    const inputs = at.inputs
      .slice(0, 4)
      .map(({ name, value, weight }) =>
        value === null ? name : `${name} ${numberText(value)} times ${numberText(weight!)}`,
      );
    const more = at.inputs.length > 4 ? ', and so on' : '';
    return `Example ${countText(at.row + 1)}: ${inputs.join(', ')}${more}. The sum is ${numberText(at.sum)}, the threshold ${numberText(at.threshold)}, so the class is ${className(classes[at.answer > 0 ? 1 : 0])}${at.answer === at.label ? ', which is right' : ', which is wrong'}.`;
  },
};

function drawNeuron(
  scene: Scene,
  at: Neuron,
  frame: Frame,
  head: { readonly marks: readonly Mark[]; readonly height: number },
): Picture {
  const { width, height, text } = frame;
  const [top, bottom] = [head.height + text * 2, height - text * 0.8];
  const rowHeight = Math.min(text * 2.4, (bottom - top) / at.inputs.length);
  const size = Math.min(text * 0.9, rowHeight * 0.95);
  const middle = (top + bottom) / 2;
  const first = middle - (rowHeight * (at.inputs.length - 1)) / 2;
  // Places from the right: class, step, sum, nodes, weights, values; the names take the rest.
  const wide = Math.min(1, Math.max(0, (width / text - 24) / 20));
  const half = text * (1.05 + 0.3 * wide);
  const gap = 2 * half + text * (0.9 + 3 * wide);
  const answerAt = width - text * (1.9 + 1.6 * wide);
  const stepAt = answerAt - gap;
  const sumAt = stepAt - gap;
  const edge = text * 0.6;
  const numbers = text * (3.4 + 0.5 * wide);
  const wanted = Math.max(text * 2.6, ...at.inputs.map(({ name }) => textWidth(name, size))) + text * 0.4;
  const names = Math.min(wanted, sumAt - half - text * 2.4 - 2 * numbers - edge);
  const [valueAt, weightAt] = [edge + names + numbers, edge + names + 2 * numbers];
  const nodeAt = weightAt + text * 0.7;
  const largest = Math.max(Number.MIN_VALUE, ...at.inputs.map(({ weight }) => Math.abs(weight ?? 0)));
  const marks: Mark[] = [...head.marks];
  const write = (
    spot: Spot,
    words: string,
    anchor: 'start' | 'middle' | 'end',
    fill: Role = 'ink',
    id?: string,
  ): void => {
    marks.push(textMark(spot, words, size, { anchor, fill, ...(id === undefined ? {} : { id }) }));
  };
  write([edge, first - Math.max(rowHeight, text * 1.3)], 'input', 'start', 'muted');
  write([valueAt, first - Math.max(rowHeight, text * 1.3)], 'x', 'end', 'muted');
  write([weightAt, first - Math.max(rowHeight, text * 1.3)], 'w', 'end', 'muted');
  at.inputs.forEach((input, i) => {
    const y = first + i * rowHeight;
    marks.push(strokeOf(input, largest, [nodeAt, y], [sumAt, middle]));
    write([edge, y], fitText(input.name, size, names - text * 0.3), 'start');
    if (input.value !== null) write([valueAt, y], numberText(input.value), 'end', 'ink', `value ${input.name}`);
    write(
      [weightAt, y],
      input.weight === null ? `Σ ${numberText(input.product)}` : numberText(input.weight),
      'end',
      roleOf(input.weight ?? input.product),
      `weight ${input.name}`,
    );
    marks.push(symbolMark('disc', [nodeAt, y], text * 0.5, { fill: 'ink' }));
  });
  marks.push(...body(scene, at, { sumAt, stepAt, answerAt, middle, half }, text));
  return { width, height, marks };
}

/** Writes a class with a true minus sign. */
const className = (name: string): string => name.replace(/^-(?=\d)/, '−');

const roleOf = (weight: number): Role => (weight > 0 ? 'positive' : weight < 0 ? 'negative' : 'muted');

function strokeOf({ name, weight, product }: Input, largest: number, from: Spot, to: Spot): Mark {
  const sign = weight ?? product;
  const share = weight === null ? 0.15 : Math.abs(weight) / largest;
  return lineMark(from, to, {
    stroke: sign === 0 ? 'grid' : roleOf(sign),
    width: 0.9 + 6.3 * share,
    ...(sign < 0 ? { dash: [9, 7.5] } : {}),
    id: `stroke ${name}`,
  });
}

interface Places {
  readonly sumAt: number;
  readonly stepAt: number;
  readonly answerAt: number;
  readonly middle: number;
  /** Half the height of the sum and of the step. */
  readonly half: number;
}

/** Draws the sum, the step and the class. */
function body(
  { examples, recording }: Scene,
  at: Neuron,
  { sumAt, stepAt, answerAt, middle, half }: Places,
  text: number,
): Mark[] {
  const size = text * 0.9;
  const role = classRole(at.answer);
  const below = middle + half + text * 0.9;
  const words = (x: number, y: number, said: string, fill: Role = 'ink', id = ''): Mark =>
    textMark([x, y], said, size, {
      anchor: 'middle',
      fill,
      stroke: 'paper',
      width: 4.5,
      ...(id === '' ? {} : { id }),
    });
  const right = at.answer === at.label;
  const name = fitText(className(examples.classes[at.answer > 0 ? 1 : 0]), size, text * 6);
  // A long name stands further to the left, so that it stays in the picture.
  const nameAt = Math.min(answerAt, answerAt + text * 2 - textWidth(name, size) / 2);
  return [
    arrowMark([sumAt + half, middle], [stepAt - half, middle], { stroke: 'ink', width: 2 }),
    arrowMark([stepAt + half, middle], [answerAt - text, middle], { stroke: 'ink', width: 2 }),
    symbolMark('ring', [sumAt, middle], 2 * half, { fill: 'paper', stroke: 'ink', width: 2 }),
    { ...words(sumAt, middle, 'Σ'), size: text * 1.5 } as Mark,
    words(sumAt, below, numberText(at.sum), 'ink', 'sum'),
    pathMark(cornersOf({ left: stepAt - half, right: stepAt + half, top: middle - half, bottom: middle + half }), {
      closed: true,
      fill: 'paper',
      stroke: 'ink',
      width: 2,
    }),
    pathMark(
      [
        [stepAt - half * 0.7, middle + half * 0.55],
        [stepAt, middle + half * 0.55],
        [stepAt, middle - half * 0.55],
        [stepAt + half * 0.7, middle - half * 0.55],
      ],
      { stroke: role, width: 3 },
    ),
    words(
      stepAt,
      middle - half - text * 0.8,
      `${recording.tie > 0 ? '≥' : '>'} ${numberText(at.threshold)} ?`,
      'bound',
      'threshold',
    ),
    exampleMark(at.answer, [answerAt, middle], text * 1.5, { stroke: 'paper', id: 'class' }),
    words(nameAt, below, name, role),
    words(answerAt, below + text * 1.2, right ? 'right' : 'wrong', right ? 'muted' : 'broken', 'verdict'),
  ];
}
