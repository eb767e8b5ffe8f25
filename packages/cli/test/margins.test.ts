import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TrainingReport } from 'halfspace';
import { describe, expect, test } from 'vitest';
import { marginLines } from '../src/report/margins.ts';
import { halfspace, temporaryFolder } from './run.ts';

const folder = temporaryFolder();

const apart = '1 1:2 2:1\n-1 1:-1\n1 1:1 2:3\n-1 2:-2\n';
const xor = '-1\n1 2:1\n1 1:1\n-1 1:1 2:1\n';
writeFileSync(join(folder, 'apart.svm'), apart);
writeFileSync(join(folder, 'xor.svm'), xor);
writeFileSync(join(folder, 'mixed.svm'), '-1 1:0.1\n1 1:0.2\n-1 1:0.4\n');

/** A rule whose weights are a sum of rows, one of other weights, and a dual one. The library's tests try all rules. */
const rules = ['perceptron', 'sgd', 'kernel'];
const train = (...options: string[]) => halfspace(folder, ['train', ...options, '--model', 'm.model.json']);

describe('a report', () => {
  test('shows margin, bound and updates side by side', () => {
    const { out } = train('apart.svm', '--as', 'blog');
    expect(out).toMatch(
      /largest margin between [\d.]+ and [\d.]+, of the rows with the constant 1; so at most \d+ updates \(radius 3\.317\), \d+ so far/,
    );
  });

  test("counts FODA's start as a step, and only updates as updates", () => {
    const { updates, bracket } = JSON.parse(train('apart.svm', '--as', 'foda', '--json').out);
    expect(bracket.updates).toBe(updates + 1);
    const { out } = train('apart.svm', '--as', 'foda');
    expect(out).toMatch(new RegExp(`, ${updates} updates?\n`));
    expect(out).toMatch(
      new RegExp(`at most [\\d,]+ steps with the start \\(radius 1\\.0{10,}\\d+\\), ${updates + 1} so far`),
    );
  });

  test('has the bracket in JSON too, and as text the same digits', () => {
    const { bracket, updates } = JSON.parse(train('apart.svm', '--as', 'blog', '--json').out);
    expect(bracket).toMatchObject({ constant: 1, updates });
    expect(bracket.bound).toBe(Math.floor((bracket.radius / bracket.lower) ** 2));
    const { out } = train('apart.svm', '--as', 'blog');
    expect(out).toContain(`so at most ${bracket.bound} updates`);
    const [, lower, upper] = /between (\S+) and (\S+),/.exec(out)!.map(Number);
    expect(bracket.lower - lower!).toBeGreaterThanOrEqual(0);
    expect(bracket.lower - lower!).toBeLessThan(1e-4);
    expect(upper! - bracket.upper).toBeGreaterThanOrEqual(0);
    expect(upper! - bracket.upper).toBeLessThan(1e-3);
  });

  test('says what was proved and what was not where the rows are too many to decide', () => {
    const bracket = { lower: 0, upper: 0.0078125, radius: 1.0775, constant: 1, updates: 50, bound: null };
    const report = {
      bracket,
      classBrackets: null,
      multiclassBracket: null,
      mistakeBounds: null,
      maximumMargin: null,
      updates: 50,
    } as unknown as TrainingReport;
    const features = { kind: 'indexed', dimension: 2, firstIndex: 1 } as const;
    expect(marginLines(report, features)).toEqual([
      'proved: no hyperplane has a margin above 0.007813, of the rows with the constant 1 (radius 1.078)',
      'not proved: that no hyperplane separates the rows; with that margin up to 19,021 updates may be needed, 50 so far',
    ]);
    expect(marginLines({ ...report, bracket: { ...bracket, upper: 1.0775, updates: null } }, features)).toEqual([
      'not proved: that no hyperplane separates the rows; halfspace certify searches longer',
    ]);
  });

  test.each(['xor', 'mixed'])('says that %s rows are proved inseparable, whatever the rule', (name) => {
    for (const rule of rules) {
      const { out } = train(`${name}.svm`, '--rule', rule, '--passes', '3');
      expect(out, rule).toMatch(/Stopped .*\n? *(.*\n){0,2} *proved: no hyperplane separates the rows, because/);
    }
  });

  test('says that lengths are those after scaling only where something was scaled', () => {
    writeFileSync(join(folder, 'apart.csv'), 'x,y\n1,a\n2,a\n8,b\n9,b\n');
    const lengths = (...options: string[]) =>
      / radius [\d.]+, (of the training rows.*)/.exec(
        train(options[0]!, '--rule', 'perceptron', ...options.slice(1)).out,
      )?.[1];
    expect(lengths('apart.svm')).toBe('of the training rows');
    expect(lengths('apart.csv', '--scale', 'none')).toBe('of the training rows');
    expect(lengths('apart.csv')).toBe('of the training rows after scaling');
    expect(lengths('apart.svm', '--scale', 'max-norm')).toBe('of the training rows after scaling');
  });

  test('says that rows are proved separable, whatever the rule', () => {
    for (const rule of rules)
      expect(train('apart.svm', '--rule', rule, '--passes', '1').out, rule).toMatch(
        /largest margin between [\d.]+ and [\d.]+, of the rows with the constant 1/,
      );
  });

  test('says of each of several classes if it is proved separable from all others', () => {
    writeFileSync(join(folder, 'three.svm'), '1 1:-2\n1 1:-1\n2 1:0.1\n2 1:0.2\n3 1:1\n3 1:2\n');
    const { out } = train('three.svm', '--rule', 'sgd');
    expect(out).toMatch(/proved: a hyperplane separates from all others: 1 \(margin .*\), 3 \(margin .*\)\n/);
    expect(out).toMatch(/proved: none separates from all others: 2\n/);
  });

  test('has the largest margin where it is asked for', () => {
    const { out } = train('apart.svm', '--as', 'slides', '--margin-gap', '1e-6');
    expect(out).toMatch(/largest margin of any hyperplane: [\d.]+ to [\d.]+, a gap of [\d.e+-]+; \d support vectors/);
    const { maximumMargin, bracket } = JSON.parse(
      train('apart.svm', '--margin-gap', '1e-6', '--as', 'blog', '--json').out,
    );
    expect(maximumMargin).toMatchObject({ separable: true });
    expect(maximumMargin.gap).toBeLessThan(1e-6);
    expect(bracket.upper - bracket.lower).toBeLessThan(1e-6 * bracket.upper);
  });

  test('refuses the search where there is nothing to search for', () => {
    expect(train('apart.svm', '--rule', 'tree', '--margin-gap', '0.1').err).toContain(
      '--margin-gap is not for --rule tree',
    );
    expect(train('apart.svm', '--margin-gap', '2').err).toContain('between 0 and 1');
  });
});
