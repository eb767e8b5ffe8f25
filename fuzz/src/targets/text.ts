import { decodeModel, encodeModel, HalfspaceError } from 'halfspace';
import { bytesSource, libsvmFormat, streamSource, TextSource, trainOnce, vwFormat } from 'halfspace/internal';
import { createKernels, type Kernels } from 'halfspace/rules';
import { TextReferenceKernels } from '../../../packages/halfspace/test/oracles/text/kernels.ts';
import { bytesOf, same, type Target } from '../target.ts';

const wasm = createKernels('wasm');
const reference = new TextReferenceKernels();

type FormatOf = (kernels: Kernels, choice: number) => ReturnType<typeof libsvmFormat>;

/** Returns the model or the refusal, and the skipped lines. */
async function outcome(
  bytes: Uint8Array,
  kernels: Kernels,
  format: FormatOf,
  choice: number,
  pieces: number,
  tolerant: boolean,
) {
  const said: string[] = [];
  async function* cut() {
    for (let at = 0; at < bytes.length; at += pieces) yield bytes.slice(at, at + pieces);
  }
  const source = new TextSource({
    name: 'x',
    open: () => [pieces === 0 ? bytesSource(bytes, 'x') : streamSource(cut(), 'x')],
    format: format(kernels, choice),
    kernels,
    onReject: tolerant
      ? ({ error, line }) => void said.push(error.message, Buffer.from(line).toString('hex'))
      : undefined,
    ...(pieces === 0 ? {} : { textBytes: 16 + (choice % 300) }),
  });
  try {
    const { model } = await trainOnce(source, { kernels, passes: 2, order: 'cyclic' });
    const text = encodeModel(model);
    same('a model is read as it was written', encodeModel(decodeModel(text)), text);
    said.push(text);
  } catch (error) {
    if (!(error instanceof HalfspaceError)) throw error;
    said.push(error.message);
  }
  return said;
}

/** Reads text whole and in pieces, with both kernels, with bad lines refused or skipped. The results must agree. */
function textTarget(name: string, format: FormatOf, seeds: readonly string[], words: readonly string[]): Target {
  return {
    name,
    words,
    seeds: () => seeds.map(bytesOf),
    async run(bytes, choice) {
      const tolerant = choice % 3 === 0;
      const [one, other] = choice % 2 === 0 ? [wasm, reference] : [reference, wasm];
      const whole = await outcome(bytes, one, format, choice, 0, tolerant);
      const cut = 1 + ((choice >>> 8) % 97);
      same('kernels and pieces change nothing', await outcome(bytes, other, format, choice, cut, tolerant), whole);
    },
  };
}

const long = (piece: string, times: number) => piece.repeat(times);

export const textTargets: readonly Target[] = [
  textTarget(
    'libsvm',
    (kernels) => libsvmFormat(kernels),
    [
      '1 1:1 2:0.5\n-1 2:1 3:-2e-1 # why\n\n1 1:0.25 7:3\n-1 3:1\n',
      '0 0:1 5:2.5\r\n1 7000:1\r\n0 5:1',
      '2 1:1\n4 2:1\n3 3:1\n',
      '\ufeff1 1:0.1 70:1\n-1 64:2\n',
      `1 ${long('7:1 ', 1)}8:1e-300\n-1 1:1e200\n`,
    ],
    ['1', '-1', '+1', ':', '1:', '4294967295:1', ' 9:1e300', '#', '\n1 1:1\n', '\n-1 2:1\n', ' 1:1', 'qid:3'],
  ),
  textTarget(
    'vw',
    (kernels, choice) => vwFormat(kernels, choice % 4 === 0 ? { bits: 1 + (choice % 20) } : {}),
    [
      "1 2.0 'tag|a x:1 y |b z\n-1 |a:0.5 x y:-3\n1 | plain words\n-1 1.5 |b z:2",
      '1 |f 1:2 3\n-1 |f 2:0.5\r\n',
      '2 |é 日本:1\n3 |é x\n1 |é y:0.25\n',
      `1 |a ${long('word', 30)} b\n-1 | c:1e30\n`,
    ],
    ['|', '|a', ' |a:2 ', ':', "'", '1 ', '-1 ', '\n1 |a x\n', '\n-1 |a y\n', ' x:1', '0.5 ', 'x'],
  ),
];
