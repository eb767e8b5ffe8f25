import fc from 'fast-check';
import { expect, test } from 'vitest';
import { present } from '../src/present.ts';
import { numbers, section } from '../src/report/format.ts';
import { shareBar } from '../src/report/terminal-charts.ts';
import { halfspace, temporaryFolder } from './run.ts';

const words = fc.array(fc.stringMatching(/^[a-z—é]{1,12}$/), { minLength: 1, maxLength: 40 });

test('lines are wrapped between words, within the width, and no word is lost or changes', () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 40, max: 200 }), fc.boolean(), (all, width, nested) => {
      const line = section('Stopped', [`${nested ? '  ' : ''}${all.join(' ')}`]);
      const shown = present(line, { width, colours: false });
      expect(shown.split(/\s+/)).toEqual(line.split(/\s+/));
      expect(Math.max(...shown.split('\n').map((each) => [...each].length))).toBeLessThanOrEqual(width);
      for (const further of shown.trimEnd().split('\n').slice(1)) expect(further).toMatch(/^ {13}\S/);
    }),
  );
});

test('a line that fits stays as it is, and a wide sign takes two columns', () => {
  const fitting = section('Chosen', ['→ averaged  99.1 ± 0.3 %', '', '  x']);
  expect(present(fitting, { width: 40, colours: false })).toBe(fitting);
  expect(present(`${'漢'.repeat(18)} 字字字`, { width: 40, colours: false })).toBe(`${'漢'.repeat(18)}\n  字字字`);
});

test('colours are all that they add', () => {
  const lines = [
    section('Chosen', ['→ averaged  99.1', '  sgd, loss hinge  98.7', '… and 4 more candidates: --verbose shows all']),
    section('Stopped', ['separated: every training row is classified correctly']),
    'halfspace: mails.csv:4: expected 3 cells; got 2\nnote: column x is left out (--column x=number keeps it)\n',
  ].join('');
  const shown = present(lines, { width: Infinity, colours: true });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of colours begin with it.
  const codes = /\u001b\[\d+m/g;
  expect(shown.replace(codes, '')).toBe(lines);
  const opened = (shown.match(codes) ?? []).filter((code) => !/\[(?:22|39)m/.test(code));
  expect((shown.match(codes) ?? []).length).toBe(2 * opened.length);
  expect(shown).toContain('\u001b[1m\u001b[32m→ averaged  99.1\u001b[39m\u001b[22m');
});

test('a pipe gets colours only when they are forced', () => {
  const { folder, clear } = temporaryFolder();
  const run = (env: object) => halfspace(folder, ['train', 'none.csv'], { env }).err;
  expect(run({})).not.toContain('\u001b');
  expect(run({ FORCE_COLOR: '1' })).toContain('\u001b[31mhalfspace:');
  expect(run({ FORCE_COLOR: '0' })).not.toContain('\u001b');
  clear();
});

test('the numbers of a column have one precision, and bars an eighth of a column', () => {
  expect(numbers([15.7, -2.78, 0.5, 0])).toEqual(['15.70', '-2.78', '0.50', '0']);
  expect(numbers([0.01234, 0.000001])).toEqual(['0.01234', '1.000e-6']);
  expect([shareBar(1, 12), shareBar(0.5, 3), shareBar(0, 12)]).toEqual(['█'.repeat(12), '█▌', '▏']);
});
