import type { Model } from '../../model/model.ts';
import { type Graph, types } from './graph.ts';

type Calibration = NonNullable<Model['calibration']>[number];
type ScoreCalibration = Exclude<Calibration, { kind: 'softmax' | 'isotonic-leads' }>;

/** Adds the probabilities of a calibrated model to a graph: [N, classes]. @param scores [N, K]. */
export function classProbabilities(
  calibration: readonly [Calibration],
  scores: string,
  classes: number,
  graph: Graph,
): string {
  const [first] = calibration;
  if (first.kind === 'softmax') return shares(softmax(first, scores, graph), classes, graph);
  if (first.kind === 'isotonic-leads') {
    const each = interpolated(first.leads, first.probabilities, leads(scores, classes, graph), graph);
    return shares(each, classes, graph);
  }
  const p = probabilityOf(first, scores, graph);
  return graph.node('Concat', [graph.node('Sub', [graph.doubles([1], [1]), p]), p], { axis: 1 });
}

function probabilityOf(calibration: ScoreCalibration, score: string, graph: Graph): string {
  if (calibration.kind === 'isotonic') return interpolated(calibration.scores, calibration.probabilities, score, graph);
  const { kind, slope, intercept } = calibration;
  const end = (value: number) => graph.doubles([value], []);
  const clipped = kind === 'platt' ? score : graph.node('Clip', [score, end(calibration.low), end(calibration.high)]);
  const product = graph.node('Mul', [clipped, graph.doubles([slope], [1])]);
  return sigmoid(graph.node('Add', [product, graph.doubles([intercept], [1])]), graph);
}

/** Adds 1 / (1 + exp(−z)). ONNX Runtime's Sigmoid on doubles is wrong by 6 % at z = −35, and 0 at z = −40. */
function sigmoid(z: string, graph: Graph): string {
  const one = graph.doubles([1], [1]);
  const power = graph.node('Exp', [graph.node('Neg', [graph.node('Abs', [z])])]);
  const isAbove = graph.node('GreaterOrEqual', [z, graph.doubles([0], [1])]);
  return graph.node('Div', [graph.node('Where', [isAbove, one, power]), graph.node('Add', [one, power])]);
}

function softmax({ slope, reach }: Extract<Calibration, { kind: 'softmax' }>, scores: string, graph: Graph): string {
  const highest = graph.node('ReduceMax', [scores], { axes: [1] });
  const behind = graph.node('Sub', [scores, highest]);
  const limited = reach === null ? behind : graph.node('Max', [behind, graph.doubles([-reach], [1])]);
  return graph.node('Exp', [graph.node('Mul', [limited, graph.doubles([slope], [1])])]);
}

/** Adds the lead of each class: its score minus the highest score of the others. */
function leads(scores: string, classes: number, graph: Graph): string {
  const positions = graph.wholes(
    Array.from({ length: classes }, (_, k) => k),
    [1, classes],
  );
  const isBest = graph.node('Equal', [graph.node('ArgMax', [scores], { axis: 1 }), positions]);
  const best = graph.node('ReduceMax', [scores], { axes: [1] });
  const others = graph.node('Where', [isBest, graph.doubles([-Infinity], [1]), scores]);
  const second = graph.node('ReduceMax', [others], { axes: [1] });
  return graph.node('Sub', [scores, graph.node('Where', [isBest, second, best])]);
}

/** Adds values of the function that joins points by lines, and is constant before the first and after the last. */
function interpolated(xs: readonly number[], ys: readonly number[], x: string, graph: Graph): string {
  const last = xs.length - 1;
  // Entry i belongs to values from point i − 1 to point i. Halves do not overflow.
  const pieces = Array.from({ length: xs.length + 1 }, (_, i) =>
    i === 0 || i > last
      ? { from: 0, width: 1, before: ys[i === 0 ? 0 : last]!, after: ys[i === 0 ? 0 : last]! }
      : { from: xs[i - 1]! / 2, width: xs[i]! / 2 - xs[i - 1]! / 2, before: ys[i - 1]!, after: ys[i]! },
  );
  const passed = graph.node('GreaterOrEqual', [
    graph.node('Unsqueeze', [x, graph.wholes([2], [1])]),
    graph.doubles(xs, [1, 1, xs.length]),
  ]);
  const piece = graph.node('ReduceSum', [graph.node('Cast', [passed], { to: types.int64 }), graph.wholes([2], [1])], {
    keepdims: 0,
  });
  const value = (of: (each: (typeof pieces)[number]) => number) =>
    graph.node('Gather', [graph.doubles(pieces.map(of), [pieces.length]), piece]);
  const half = graph.node('Div', [x, graph.doubles([2], [1])]);
  const past = graph.node('Sub', [half, value(({ from }) => from)]);
  const share = graph.node('Div', [past, value(({ width }) => width)]);
  const rise = graph.node('Mul', [share, value(({ before, after }) => after - before)]);
  const sum = graph.node('Add', [value(({ before }) => before), rise]);
  return graph.node('Min', [sum, value(({ after }) => after)]);
}

/** Divides numbers by their sum; equal shares if all are 0. */
function shares(numbers: string, classes: number, graph: Graph): string {
  const sum = graph.node('ReduceSum', [numbers, graph.wholes([1], [1])]);
  const isNone = graph.node('Equal', [sum, graph.doubles([0], [1])]);
  return graph.node('Where', [isNone, graph.doubles([1 / classes], [1]), graph.node('Div', [numbers, sum])]);
}
