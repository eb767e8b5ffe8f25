import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { LabelNames } from '../../src/data/label-names.ts';
import { hasWordLabels, headOf, numberedLabels } from '../../src/data/word-labels.ts';
import { decodeModel, encodeModel, evaluate, type HalfspaceError, Predictor, train, vw } from '../../src/index.ts';

const text = "spam 2.0 'a|f cheap pills\nham |f hello bob\n\n  spam |f cheap\nham|f tag only\nham |f hello\n";
const bytes = (of: string) => new TextEncoder().encode(of);

/** Returns a source that gives so many bytes at a time. */
function piecewise(of: Uint8Array, size: number) {
  let at = 0;
  return {
    name: 'pieces',
    read(target: Uint8Array) {
      const count = Math.min(size, target.length, of.length - at);
      target.set(of.subarray(at, at + count));
      at += count;
      return count;
    },
  };
}

describe('labels of Vowpal Wabbit text that are words', () => {
  it('are classes, and of two the later one is positive, in any order of the lines', async () => {
    const lines = ['spam |f cheap pills', 'ham |f hello bob', 'spam |f cheap', 'ham |f hello'];
    for (const given of [lines, [...lines].reverse()]) {
      const source = () => vw(`${given.join('\n')}\n`);
      const model = decodeModel(encodeModel((await train(source(), { rule: 'perceptron', passes: 5 })).model));
      expect(model.classes).toEqual(['ham', 'spam']);
      expect(new Predictor(model).predict({ 'f^cheap': 1 })).toBe('spam');
      const judged = await evaluate(model, vw(`${lines.join('\n')}\neggs |f cheap\n`));
      expect([judged.examples, judged.errors, judged.unknownClasses]).toEqual([5, 1, ['eggs']]);
    }
    const three = await train(vw('b |f x\n10 |f y\na |f z\n9 |f u\n'), { rule: 'perceptron', passes: 2 });
    expect(three.model.classes).toEqual(['10', '9', 'a', 'b']);
    const against = await train(vw(lines.join('\n'), { positive: 'ham' }), { rule: 'perceptron', passes: 2 });
    expect(against.model.classes).toEqual(['spam', 'ham']);
  });

  it('are words in the whole text if the first one is, and numbers if it is', async () => {
    const fault = async (of: string, options = {}) => {
      try {
        await train(vw(of, options), { rule: 'perceptron' });
      } catch (error) {
        return (error as HalfspaceError).message;
      }
      return null;
    };
    expect(await fault('1 |f x\nspam |f y\n')).toContain(
      'expected a number as label, or words from the first line on; got "spam"',
    );
    expect(await fault('1 |f x\n2 |f y\n', { positive: 'spam' })).toContain('must be a number; got "spam"');
    for (const head of ['1 |', '-1.5 |', '|f x', "'tag |f", 'tag|f x', '+.5 |', 'nan |', 'Inf |', '', '\n \n'])
      expect(hasWordLabels(bytes(head)), head).toBe(false);
    for (const head of ['spam |', '\n\n x |', '\ufeffspam |', 'n |', '-x |'])
      expect(hasWordLabels(bytes(head)), head).toBe(true);
    expect(new TextDecoder().decode(await headOf(piecewise(bytes('\n\n\nspam |f x\nham |f y\n'), 1)))).toBe(
      '\n\n\nspam ',
    );
  });

  it('become the same numbers, wherever the text is cut', async () => {
    const expected = "0    2.0 'a|f cheap pills\n1   |f hello bob\n\n  0    |f cheap\nham|f tag only\n1   |f hello\n";
    await forAllAsync(100, fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 }), async (size, room) => {
      const source = numberedLabels(piecewise(bytes(text), size), new LabelNames());
      const target = new Uint8Array(room);
      let got = '';
      for (;;) {
        const count = await source.read(target);
        if (count === 0) break;
        got += new TextDecoder().decode(target.subarray(0, count));
      }
      expect(got).toBe(expected);
    });
  });
});
