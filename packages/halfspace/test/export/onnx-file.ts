import { Message } from '../../src/export/onnx/graph.ts';

interface OnnxFile {
  readonly labels: readonly (number | string)[];
  readonly coefficients: readonly number[];
  readonly intercepts: readonly number[];
  readonly scaled?: { readonly offset: readonly number[]; readonly scale: readonly number[] };
  /** The classifier. */
  readonly operator?: string;
  /** Further operators. */
  readonly before?: string;
  readonly behind?: string;
  /** Name of the input; the first operator reads x. */
  readonly input?: string;
}

/** Returns the bytes of an ONNX file as skl2onnx writes classifiers: x, a Scaler, a LinearClassifier, a Cast. */
export function onnxFile(of: OnnxFile): Uint8Array {
  const { labels, coefficients, intercepts, scaled, operator = 'LinearClassifier', before, behind, input = 'x' } = of;
  const names = ['x'];
  const graph = new Message();
  const add = (type: string, attributes: readonly Message[] = []) => {
    const node = new Message().bytes(1, names.at(-1)!);
    names.push(`v${names.length}`);
    node.bytes(2, names.at(-1)!).bytes(4, type).bytes(7, 'ai.onnx.ml');
    for (const attribute of attributes) node.bytes(5, attribute);
    graph.bytes(1, node);
  };
  if (scaled !== undefined) add('Scaler', [floats('offset', scaled.offset), floats('scale', scaled.scale)]);
  if (before !== undefined) add(before);
  add(operator, [
    labelsOf(labels),
    floats('coefficients', coefficients),
    floats('intercepts', intercepts),
    new Message().bytes(1, 'post_transform').bytes(4, 'SOFTMAX').whole(20, 3),
  ]);
  add('Cast');
  if (behind !== undefined) add(behind);
  graph.bytes(11, new Message().bytes(1, input));
  return new Message().whole(1, 8).bytes(7, graph).finish();
}

function floats(name: string, values: readonly number[]): Message {
  return new Message()
    .bytes(1, name)
    .bytes(7, new Uint8Array(Float32Array.from(values).buffer))
    .whole(20, 6);
}

function labelsOf(labels: readonly (number | string)[]): Message {
  if (typeof labels[0] === 'string') {
    const attribute = new Message().bytes(1, 'classlabels_strings');
    for (const label of labels) attribute.bytes(9, label as string);
    return attribute.whole(20, 8);
  }
  // A negative number has ten bytes, as 64 bits.
  const bytes = labels.flatMap((label) => {
    if (Number(label) >= 0 && Number(label) < 128) return [Number(label)];
    const seven = (shift: number) => Number(BigInt.asUintN(7, BigInt.asUintN(64, BigInt(label)) >> BigInt(shift)));
    const groups = Array.from({ length: 10 }, (_, k) => seven(7 * k));
    while (groups.length > 1 && groups.at(-1) === 0) groups.pop();
    return groups.map((group, k) => (k < groups.length - 1 ? group + 128 : group));
  });
  return new Message().bytes(1, 'classlabels_ints').bytes(8, Uint8Array.from(bytes)).whole(20, 7);
}
