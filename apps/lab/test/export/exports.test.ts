import { decodeModel, Predictor } from 'halfspace';
import { describe, expect, it } from 'vitest';
import { type Algorithm, defaultAlgorithm } from '../../src/algorithm/algorithm.ts';
import type { Dataset } from '../../src/data/dataset.ts';
import { dataPresets } from '../../src/data/presets.ts';
import { LocalEngine } from '../../src/engine/local-engine.ts';
import { momentAt } from '../../src/engine/recording.ts';
import { captioned, captionOf, frameAbove, pictureName } from '../../src/export/caption.ts';
import { framesOf, momentsOf, sceneAt } from '../../src/export/film-frames.ts';
import { predictorFunction } from '../../src/export/predictor-function.ts';
import { runToCsv } from '../../src/export/run-csv.ts';
import { pictureToSvg } from '../../src/export/svg.ts';
import type { Mark } from '../../src/picture/picture.ts';
import { plane } from '../../src/views/plane/plane.ts';
import { makeScene } from '../support/make-scene.ts';

async function runOf(dataset: Dataset, algorithm: Algorithm = defaultAlgorithm) {
  const engine = new LocalEngine();
  const examples = await engine.open(dataset);
  return { examples, recording: await engine.run(algorithm, () => {}) };
}

const table: Dataset = {
  kind: 'table',
  name: 'mails.csv',
  text: `words,subject,urgent,class\n${Array.from({ length: 60 }, (_, i) => `${i % 7 === 3 ? '' : (i * 37) % 50},${['hello', 'offer "x"', 'NA'][i % 3]},${i % 4 === 0},${(i * 37) % 50 > 20 || i % 3 === 1 ? 'spam' : 'ham'}`).join('\n')}\n`,
  label: 'class',
  positive: null,
  columns: null,
  scale: 'standard',
};

describe('the function of a model', () => {
  it('gives every row the class that the library gives it, fields missing or of unseen levels among them', async () => {
    const { recording } = await runOf(table, { ...defaultAlgorithm, as: null, rule: 'averaged' });
    const written = predictorFunction(recording.model);
    if (!('code' in written)) throw new Error(written.why);
    const { predict } = await import(`data:text/javascript,${encodeURIComponent(written.code)}`);
    const predictor = new Predictor(decodeModel(recording.modelText));
    const seen = new Set<string>();
    for (const words of [undefined, '', null, 0, 12, '30', 49, ' 7 ', 1e3])
      for (const subject of [undefined, 'hello', 'offer "x"', 'NA', 'never seen'])
        for (const urgent of [undefined, true, 'false', 'Yes']) {
          const row = { words, subject, urgent };
          seen.add(predict(row));
          expect(predict(row), JSON.stringify(row)).toBe(predictor.predict(row));
        }
    expect([...seen].sort()).toEqual(['ham', 'spam']);
  });

  it('is refused, with a reason, where it would take more than a sum', async () => {
    const { recording } = await runOf(dataPresets[0]!.make(), { ...defaultAlgorithm, as: null, rule: 'kernel' });
    expect(predictorFunction(recording.model)).toEqual({
      why: 'A model of the rule kernel is no single sum of weights. Use the model file with the library.',
    });
  });
});

describe('a run as CSV', () => {
  it('has every example shown, and the weights that the recording has, to the bit', async () => {
    const { examples, recording } = await runOf(dataPresets[0]!.make());
    const [header, ...lines] = [...runToCsv(examples, recording)].map((line) => line.trimEnd().split(','));
    expect(header).toEqual([
      'step',
      'pass',
      'row',
      'class',
      'score',
      'update',
      'updates',
      'bias',
      'weight of x1',
      'weight of x2',
    ]);
    expect(lines).toHaveLength(recording.steps);
    for (const [k, cells] of lines.entries()) {
      const { present, row, updated, pass } = momentAt(recording, k + 1);
      expect(cells.slice(0, 3).map(Number)).toEqual([k + 1, pass, row + 1]);
      expect(cells[5]).toBe(updated ? '1' : '0');
      expect(cells.slice(7).map(Number)).toEqual([present!.bias, ...present!.weights]);
    }
    expect(lines.at(-1)![6]).toBe(String(recording.report.updates));
  });
});

describe('a film', () => {
  it('shows every update of a short run, and of a long one its start, its end and some between', () => {
    expect(momentsOf([1, 3, 8], 9)).toEqual([0, 1, 3, 8, 9]);
    expect(momentsOf([], 0)).toEqual([0]);
    const many = momentsOf(
      Uint32Array.from({ length: 10_000 }, (_, k) => 2 * k + 1),
      20_000,
    );
    expect([many.length, many[0], many.at(-1)]).toEqual([240, 0, 20_000]);
    expect(many.every((step, k) => k === 0 || step > many[k - 1]!)).toBe(true);
  });

  it('turns the line from each moment to the next, a little more in every picture, in the time that it has', async () => {
    const scene = await makeScene(dataPresets[0]!.make());
    const { recording } = scene;
    const moments = momentsOf(recording.updates, recording.steps);
    const frames = framesOf(moments, true);
    for (const [k, step] of moments.entries()) {
      const [own, from] = [frames.filter((frame) => frame.step === step), moments[k - 1] ?? step];
      expect(own.length).toBe(k === 0 ? 1 : 5);
      expect(own.at(-1)).toMatchObject({ from, share: 1 });
      expect(own.reduce((sum, { duration }) => sum + duration, 0)).toBe(k === moments.length - 1 ? 2160 : 400);
      const [before, after] = [momentAt(recording, from).present!, momentAt(recording, step).present!];
      let last = 0;
      for (const frame of own) {
        expect(frame.share).toBeGreaterThan(last);
        last = frame.share;
        const { line } = sceneAt(scene, frame).motion ?? { line: after };
        const turned = (line.bias - before.bias) / (after.bias - before.bias || 1);
        expect(turned).toBeGreaterThanOrEqual(0);
        if (frame.share === 1) expect(line).toEqual(after);
      }
      expect(sceneAt(scene, own.at(-1)!).moment).toEqual(momentAt(recording, step));
    }
    expect(framesOf(moments, false)).toHaveLength(moments.length);
    const long = Array.from({ length: 240 }, (_, k) => k);
    expect(framesOf(long, true).length).toBeLessThanOrEqual(480);
  });
});

describe('a caption', () => {
  it('tells data, algorithm, step and space, stands below the picture, and names the file', async () => {
    const scene = await makeScene(dataPresets[0]!.make());
    const at = sceneAt(scene, { step: 5, from: 5, share: 1, duration: 1 });
    const { pass, updates } = at.moment;
    const [setup, place] = captionOf(plane, at);
    expect(setup).toBe(`The plane · ${scene.dataset.name} · Perceptron`);
    expect(place).toMatch(new RegExp(`^pass ${pass}, example \\d+ of \\d+, update ${updates} · bias as a coordinate$`));
    expect(captionOf(plane, { ...at, look: { ...at.look, space: 'apart' } })[1]).toMatch(/ · bias apart$/);
    const frame = { width: 400, height: 300, text: 14 };
    const above = frameAbove(frame);
    const drawn = captioned(plane.draw(at, above), frame, captionOf(plane, at));
    expect([drawn.width, drawn.height]).toEqual([400, 300]);
    const lines = drawn.marks.filter((mark) => mark.id?.startsWith('caption'));
    expect(lines.map((mark) => mark.kind === 'text' && mark.text)).toEqual([setup, place]);
    for (const mark of lines) if (mark.kind === 'text') expect(mark.at[1]).toBeGreaterThan(above.height);
    expect(pictureName(plane, at, 5)).toMatch(/-perceptron-plane-step-5$/);
  });
});

describe('a picture as SVG', () => {
  it('has every mark, in colours of its theme, and text that says what it said', () => {
    const marks: Mark[] = [
      { kind: 'line', from: [0, 0], to: [10.004, 5], stroke: 'line', dash: [2, 3], id: 'boundary' },
      {
        kind: 'path',
        spots: [
          [1, 2],
          [3, 4],
          [5, 6],
        ],
        closed: true,
        fill: 'positive-region',
        opacity: 0.5,
      },
      { kind: 'arrow', from: [0, 0], to: [20, 0], stroke: 'update' },
      { kind: 'symbol', shape: 'disc', at: [5, 5], size: 8, fill: 'positive' },
      { kind: 'symbol', shape: 'square', at: [5, 5], size: 8, fill: 'negative' },
      { kind: 'symbol', shape: 'cross', at: [5, 5], size: 8, stroke: 'broken' },
      { kind: 'text', at: [1, 2], text: 'a < b & "c"', turn: -90 },
      { kind: 'cells', at: [0, 0], size: [10, 10], columns: 2, rows: 1, values: Float64Array.of(-1, 0.5) },
    ];
    const svg = pictureToSvg({ width: 100, height: 50, marks }, 'dark', 'one & two');
    expect(svg).toContain('<title>one &amp; two</title>');
    expect(svg).toContain('a &lt; b &amp; &quot;c&quot;</text>');
    expect(svg).toContain('M0 0L10 5');
    expect(svg).toContain('stroke-dasharray="2 3"');
    // Paper, the arrow's head, the cross's second line, and the second cell.
    expect(svg.match(/<(path|circle|rect|text)\b/g)).toHaveLength(marks.length + 4);
    expect(svg).not.toContain('undefined');
    expect(svg).not.toContain('NaN');
  });
});
