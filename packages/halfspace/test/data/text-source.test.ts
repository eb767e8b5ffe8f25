import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { bytesSource, streamSource } from '../../src/data/in-memory.ts';
import { libsvmFormat } from '../../src/data/text-format.ts';
import { HalfspaceError } from '../../src/errors.ts';
import { implementations } from '../support/kernels.ts';
import { damagedText, validLines } from '../support/libsvm-text.ts';
import { bytesOf, inPieces, libsvmSource, type ReadRow, readLibsvm } from '../support/text.ts';

const good = `# three examples and what may stand between them
+1 1:0.5 3:-2.25e1 17:3\r
\t
-1 2:1 3:1 # the second

2 4294967295:1 \t`;
const goodRows = [
  {
    label: 1,
    features: [
      [1, 0.5],
      [3, -22.5],
      [17, 3],
    ],
  },
  {
    label: -1,
    features: [
      [2, 1],
      [3, 1],
    ],
  },
  // Far indices are given positions behind the directly numbered ones.
  { label: 2, features: [[1 << 16, 1]] },
];

describe.each(implementations)('libsvm text through the %s kernels', (_, create) => {
  const kernels = create();
  const read = (data: Parameters<typeof readLibsvm>[1], options?: Parameters<typeof readLibsvm>[2]) =>
    readLibsvm(kernels, data, options);

  it('yields its examples without blank lines and comments', async () => {
    const { rows, error } = await read(good);
    expect(error).toBeNull();
    expect(rows).toEqual(goodRows);
  });

  it('yields the same examples wherever the text is cut in two', async () => {
    const data = bytesOf(good);
    for (let cut = 0; cut <= data.length; cut++) {
      const pieces = [data.slice(0, cut), data.slice(cut)];
      const { rows, error } = await read(streamSource(pieces, 'data.svm'));
      expect(error).toBeNull();
      expect(rows).toEqual(goodRows);
    }
  });

  it('yields the same examples byte by byte, in odd pieces, and with tiny buffers', async () => {
    const data = bytesOf(good);
    for (const sizes of [[1], [2], [3], [5, 1, 13], [7], [64, 1], [1000]])
      for (const textBytes of [1, 2, 3, 7, 64, 1000])
        for (const [batchRows, batchValues] of [
          [1, 1],
          [2, 3],
          [100, 100],
        ] as const) {
          const { rows, error } = await read(inPieces(data, sizes), { textBytes, batchRows, batchValues });
          expect(error).toBeNull();
          expect(rows).toEqual(goodRows);
        }
  });

  it('yields the same examples, refusals and places for any pieces, of valid and damaged text', async () => {
    const text = fc.oneof(
      damagedText,
      validLines.map((lines) => bytesOf(lines.map(({ text }) => text).join('\n'))),
    );
    const buffers = fc.record({
      textBytes: fc.integer({ min: 1, max: 200 }),
      batchRows: fc.integer({ min: 1, max: 5 }),
      batchValues: fc.integer({ min: 1, max: 20 }),
    });
    const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 });
    await forAllAsync(250, text, sizes, buffers, fc.boolean(), async (data, sizes, buffers, skip) => {
      const whole = await read(data, { skip });
      const pieced = await read(inPieces(data, sizes), { ...buffers, skip });
      expect({ ...pieced, batches: 0 }).toEqual({ ...whole, batches: 0 });
    });
  });

  it('reports line, column and byte of every refusal', async () => {
    let places = 0;
    let texts = 0;
    await forAllAsync(300, damagedText, async (data) => {
      texts++;
      const { error } = await read(data);
      if (error === null) return;
      places++;
      const { source, line, column, byte } = error.where;
      const before = [...data.subarray(0, byte)];
      expect(source).toBe('data.svm');
      expect(line).toBe(before.filter((c) => c === 10).length + 1);
      expect(column).toBe(before.length - (before.lastIndexOf(10) + 1) + 1);
    });
    expect(places).toBeGreaterThan(texts / 3);
  });

  it.each([
    ['x 1:2', 'row-malformed', 1, 'expected a number as label; got "x"'],
    ['1x 1:2', 'row-malformed', 1, 'expected a number as label; got "1x"'],
    ['  spam 1:2', 'row-malformed', 3, 'expected a number as label; got "spam"'],
    ['nan 1:2', 'number-invalid', 1, 'expected a finite number; got "nan"'],
    ['1 1:abc', 'number-invalid', 5, 'expected a number; got "abc"'],
    ['1 1:0x10 2:3', 'number-invalid', 5, 'expected a number; got "0x10"'],
    ['1 1:1,5', 'number-invalid', 5, 'expected a number; got "1,5"'],
    ['1 1:nan', 'number-invalid', 5, 'expected a finite number; got "nan"'],
    ['1 1:1 2:-inf', 'number-invalid', 9, 'expected a finite number; got "-inf"'],
    ['1 1:1e400', 'number-invalid', 5, 'expected a finite number; got "1e400"'],
    ['1 1:', 'number-invalid', 5, 'expected a number; got the end of the line'],
    ['1 1:\r', 'number-invalid', 5, 'expected a number; got the end of the line'],
    ['1 1: 2:3', 'number-invalid', 5, 'expected a number; got a blank'],
    ['1 1:2:3', 'number-invalid', 5, 'expected a number; got "2:3"'],
    ['1 1:2|a', 'number-invalid', 5, 'expected a number; got "2|a"'],
    ['1 3', 'row-malformed', 3, 'expected index:value; got "3"'],
    ['1 3 4:1', 'row-malformed', 3, 'expected index:value; got "3"'],
    ['1 3a:1', 'row-malformed', 3, 'expected index:value; got "3a:1"'],
    ['1 a:1', 'index-invalid', 3, 'expected a feature index (a whole number); got "a:1"'],
    ['1 -1:1', 'index-invalid', 3, 'expected a feature index (a whole number); got "-1:1"'],
    ['1 :5', 'index-invalid', 3, 'expected a feature index (a whole number); got ":5"'],
    ['1 |a b', 'index-invalid', 3, 'expected a feature index (a whole number); got "|a"'],
    ['1 1.5:1', 'row-malformed', 3, 'expected index:value; got "1.5:1"'],
    ['1 4294967296:1', 'index-invalid', 3, 'expected a feature index in [0, 4294967295]; got "4294967296:1"'],
    ['1 99999999999999:1', 'index-invalid', 3, 'expected a feature index in [0, 4294967295]; got "99999999999999:1"'],
    ['1 2:1 2:1', 'index-invalid', 7, 'expected feature indices to rise within a line; got "2:1"'],
    ['1 2:1 1:1 3:1', 'index-invalid', 7, 'expected feature indices to rise within a line; got "1:1"'],
    ['1 qid:3 1:2', 'row-malformed', 3, 'expected index:value; ranking queries (qid) are not supported; got "qid:3"'],
    ['1,2 1:1', 'row-malformed', 1, 'expected one label; lines with several labels are not supported; got "1,2"'],
    ['1\u00001:2', 'source-corrupt', 1, 'expected text; got binary data'],
    ['1 1:\u0001', 'source-corrupt', 5, 'expected text; got binary data'],
    ['1 \u0002:1', 'source-corrupt', 3, 'expected text; got binary data'],
  ] as const)('refuses %j at its place', async (line, code, column, message) => {
    for (const [before, behind] of [
      ['', ''],
      ['1 1:2\r\n# é\n\n', '\n1 1:3\n'],
    ] as const) {
      const { rows, error } = await read(before + line + behind);
      const byte = bytesOf(before).length + column - 1;
      const number = before.split('\n').length;
      expect(error?.code).toBe(code);
      expect(error?.where).toEqual({ source: 'data.svm', line: number, column, byte });
      expect(error?.message).toBe(`data.svm:${number}:${column}, byte ${byte}: ${message}`);
      // What was read before the fault is delivered.
      expect(rows).toHaveLength(before === '' ? 0 : 1);
    }
  });

  it('shortens a long token in the message, on one line', async () => {
    const { error } = await read(`1 1:${'é"'.repeat(500)}`);
    expect(error?.message).toMatch(/^data\.svm:1:5, byte 4: expected a number; got "(é\\")+…"$/);
    expect(error!.message.length).toBeLessThan(120);
  });

  it('skips exactly the refused lines and keeps the order of the others, with onReject', async () => {
    const text = '1 1:1\nx 1:2\r\n2 2:1\n3 3:1 3:1\n4 4:1\n1 5:nan';
    const { rows, rejected, error } = await read(text, { skip: true });
    expect(error).toBeNull();
    expect(rows).toEqual([1, 2, 4].map((n) => ({ label: n, features: [[n, 1]] })));
    expect(rejected).toEqual([
      { line: 'x 1:2', message: 'data.svm:2:1, byte 6: expected a number as label; got "x"' },
      {
        line: '3 3:1 3:1',
        message: 'data.svm:4:7, byte 25: expected feature indices to rise within a line; got "3:1"',
      },
      { line: '1 5:nan', message: 'data.svm:6:5, byte 39: expected a finite number; got "nan"' },
    ]);
  });

  it('accepts a line exactly if it accepts the line alone', async () => {
    await forAllAsync(100, damagedText, async (data) => {
      const all = await read(data, { skip: true });
      fc.pre(all.error === null);
      const lines = new TextDecoder('latin1').decode(data).split('\n');
      const alone: ReadRow[] = [];
      let refused = 0;
      for (const line of lines) {
        const { rows, error } = await read(Uint8Array.from(line, (c) => c.charCodeAt(0)));
        if (error === null) alone.push(...rows);
        else refused++;
      }
      expect(all.rejected).toHaveLength(refused);
      // A far index has another position when it is the only one.
      const near = (rows: readonly ReadRow[]) =>
        rows.map(({ label, features }) => [label, features.map(([, value]) => value)]);
      expect(near(all.rows)).toEqual(near(alone));
    });
  });

  it('does not skip binary data, because they are not lines', async () => {
    const { error } = await read('1 1:1\n1 \u0000\n1 1:1\n', { skip: true });
    expect(error?.message).toBe('data.svm:2:3, byte 8: expected text; got binary data');
  });

  it('skips a byte order mark, also if its bytes come one by one', async () => {
    const data = bytesOf('\ufeff1 1:2\nx');
    for (const sizes of [[1], [2], [3], [100]]) {
      const { rows, error } = await read(inPieces(data, sizes));
      expect(rows).toEqual([{ label: 1, features: [[1, 2]] }]);
      // Bytes are those of the file.
      expect(error?.message).toBe('data.svm:2:1, byte 9: expected a number as label; got "x"');
    }
    const { rows, error } = await read(bytesOf('\ufeff'));
    expect([rows, error]).toEqual([[], null]);
  });

  it('names UTF-16 when it refuses it', async () => {
    for (const mark of [
      [0xff, 0xfe],
      [0xfe, 0xff],
    ])
      for (const sizes of [[1], [100]]) {
        const { error } = await read(inPieces(Uint8Array.of(...mark, 0x31, 0, 0x0a, 0), sizes));
        expect(error?.message).toBe('data.svm, byte 0: expected UTF-8 text; got UTF-16');
        expect(error?.code).toBe('source-corrupt');
      }
  });

  it('names binary data when it refuses them, with or without line feeds', async () => {
    const image = Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) & 255);
    const zeros = new Uint8Array(5000);
    const archive = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3);
    for (const data of [image, zeros, archive])
      for (const textBytes of [16, 10_000]) {
        const { error, rows } = await read(data, { textBytes });
        expect(rows).toEqual([]);
        expect(error).toBeInstanceOf(HalfspaceError);
        expect(['source-corrupt', 'row-malformed']).toContain(error?.code);
      }
    expect((await read(zeros)).error?.message).toBe('data.svm:1:1, byte 0: expected text; got binary data');
    expect((await read(zeros, { textBytes: 16 })).error?.message).toBe(
      'data.svm:1:1, byte 0: expected text; got binary data',
    );
  });

  it('enlarges its buffers for a long line', async () => {
    const features = Array.from({ length: 20_000 }, (_, k): [number, number] => [k + 1, (k % 100) / 4]);
    const line = `1 ${features.map(([index, value]) => `${index}:${value}`).join(' ')}`;
    const { rows, error } = await read(`${line}\n-1 1:1\n`, { textBytes: 64, batchValues: 8, batchRows: 1 });
    expect(error).toBeNull();
    expect(rows).toEqual([
      { label: 1, features },
      { label: -1, features: [[1, 1]] },
    ]);
  });

  it('gives a line without a label the label NaN', async () => {
    const { rows } = await read('1:2 3:4\n1 1:1');
    expect(rows).toEqual([
      {
        label: Number.NaN,
        features: [
          [1, 2],
          [3, 4],
        ],
      },
      { label: 1, features: [[1, 1]] },
    ]);
  });

  it('accepts a line that is only a label', async () => {
    const { rows } = await read('1\n-1 #\n');
    expect(rows).toEqual([
      { label: 1, features: [] },
      { label: -1, features: [] },
    ]);
  });

  it('yields nothing for empty text', async () => {
    for (const text of ['', '\n', '\r\n\r\n', '# only a comment', '   ']) {
      const { rows, error } = await read(text);
      expect([rows, error]).toEqual([[], null]);
    }
  });

  it('records in the encoding if indices start at 0 or 1', async () => {
    const encodingOf = async (text: string) => {
      const source = libsvmSource(kernels, text);
      for await (const _ of source.batches());
      return source.encoding();
    };
    expect(await encodingOf('1 1:1 9:2')).toEqual({ kind: 'indexed', dimension: 10, firstIndex: 1 });
    expect(await encodingOf('1 9:1\n1 0:1')).toEqual({ kind: 'indexed', dimension: 10, firstIndex: 0 });
    expect(await encodingOf('1')).toEqual({ kind: 'indexed', dimension: 0, firstIndex: 1 });
  });

  it('gives huge indices positions in order of appearance, so they need no more memory than small ones', async () => {
    const source = libsvmSource(kernels, '1 65535:1 4294967295:2\n1 65536:3 4294967294:4 4294967295:5');
    const indices: number[] = [];
    for await (const batch of source.batches()) {
      if (batch.kind === 'sparse') indices.push(...batch.indices.subarray(0, batch.offsets[batch.rows]));
      expect(batch.dimension).toBeLessThanOrEqual((1 << 16) + 3);
    }
    const direct = 1 << 16;
    expect(indices).toEqual([direct - 1, direct, direct + 1, direct + 2, direct]);
    expect(source.encoding()).toEqual({
      kind: 'indexed',
      dimension: direct + 3,
      firstIndex: 1,
      far: { direct, indices: [4294967295, 65536, 4294967294] },
    });
  });

  it('sets features unknown to a model to 0 and counts them', async () => {
    const known = { kind: 'indexed', dimension: 4, firstIndex: 1 } as const;
    const far = { ...known, dimension: (1 << 22) + 1, far: { direct: 1 << 22, indices: [4294967295] } } as const;
    for (const [encoding, text, expected, unknown] of [
      [
        known,
        '1 1:5 3:6 4:7 4294967295:8',
        [
          [1, 5],
          [3, 6],
          [0, 0],
          [0, 0],
        ],
        2,
      ],
      [
        far,
        '1 4:7 4294967294:8 4294967295:9',
        [
          [4, 7],
          [0, 0],
          [1 << 22, 9],
        ],
        1,
      ],
      [
        known,
        '1 1:5 3:6',
        [
          [1, 5],
          [3, 6],
        ],
        0,
      ],
    ] as const) {
      const format = libsvmFormat(kernels, encoding);
      const { rows } = await read(text, { format });
      expect(rows).toEqual([{ label: 1, features: expected }]);
      expect(format.unknown?.unknown).toBe(unknown);
    }
  });

  it('reads several files in order; each has its own line numbers and may lack the last line feed', async () => {
    const open = () => [bytesSource('1 1:1', 'a.svm'), bytesSource('', 'b.svm'), bytesSource('2 2:2\nx', 'c.svm')];
    const { rows, error } = await read('', { open });
    expect(rows).toEqual([
      { label: 1, features: [[1, 1]] },
      { label: 2, features: [[2, 2]] },
    ]);
    expect(error?.message).toBe('c.svm:2:1, byte 6: expected a number as label; got "x"');
  });

  it('throws the error of its source', async () => {
    const error = new HalfspaceError('source-unreadable', 'expected a readable file; got no such file', {
      source: 'a',
    });
    const source = {
      name: 'a',
      read(): number {
        throw error;
      },
    };
    expect((await read(source)).error).toBe(error);
  });
});
