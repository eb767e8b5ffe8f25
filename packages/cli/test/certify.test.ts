import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { digestOfCertificate } from 'halfspace-certify';
import { describe, expect, test } from 'vitest';
import { some } from '../../../test/support/quick.ts';
import { command, halfspace, root, temporaryFolder } from './run.ts';
import { interruptedCertify } from './support/interrupted-certify.ts';

const folder = temporaryFolder();

const python = spawnSync('python3', ['--version']).status === 0;
const independent = resolve(root, 'packages/certify/test/check_certificate.py');

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
write('xor.csv', 'a,b,class\n0,0,no\n1,1,no\n0,1,yes\n1,0,yes\n');
write('line.csv', 'a,b,class\n0,0,no\n1,1,no\n3,4,yes\n5,9,yes\n');
write('twins.svm', '# two of them the same\n+1 1:0.5 3:2\n-1 2:1\n-1 1:0.5 3:2\n');

/** The four measurements of the penguins as a table. */
function penguins(): string {
  const path = resolve(root, 'node_modules/vega-datasets/data/penguins.json');
  const columns = ['Beak Length (mm)', 'Beak Depth (mm)', 'Flipper Length (mm)', 'Body Mass (g)'];
  const rows = (JSON.parse(readFileSync(path, 'utf8')) as Record<string, string | number | null>[]).filter((row) =>
    columns.every((column) => row[column] !== null),
  );
  const lines = rows.map((row) => [...columns, 'Species'].map((column) => row[column]).join(','));
  return `length,depth,flipper,mass,class\n${lines.join('\n')}\n`;
}
write('penguins.csv', penguins());

/** Results of an independent linear programme on the numeric columns. */
const facts: [data: string, positive: string | null, separable: boolean][] = [
  [join(folder, 'penguins.csv'), 'Gentoo', true],
  [join(folder, 'penguins.csv'), 'Adelie', false],
  [join(folder, 'penguins.csv'), 'Chinstrap', false],
  [join(folder, 'xor.csv'), null, false],
  [join(folder, 'line.csv'), null, true],
];

describe('the lifted space of products', () => {
  const flags = ['certify', 'xor.csv', '--certificate', 'lifted.json', '--pairs'];

  test('separates XOR: the proof says in which space, is about doubles, and is verified with the data', () => {
    const { out, status } = halfspace(folder, [...flags, 'a*b']);
    expect(status).toBe(0);
    expect(out).toContain('separable in a, b, a·b: a line separates yes from no without error (proved)');
    expect(out).toContain('doubles, as binary fractions: products are computed in floating point');
    const { data } = JSON.parse(readFileSync(join(folder, 'lifted.json'), 'utf8'));
    expect(data).toMatchObject({ dimension: 3, numbers: 'doubles', products: [['a', 'b']] });
    const checked = halfspace(folder, ['check', 'lifted.json', 'xor.csv']);
    expect(checked).toMatchObject({ status: 0, out: expect.stringContaining('products of features are doubles too') });
    write('other.csv', 'a,b,class\n0,0,no\n1,2,no\n0,1,yes\n1,0,yes\n');
    expect(halfspace(folder, ['check', 'lifted.json', 'other.csv']).status).toBe(1);
  });

  test('needs pairs of names of features', () => {
    expect(halfspace(folder, [...flags, 'a*q'])).toMatchObject({
      status: 2,
      err: expect.stringContaining('expected pairs of the features a, b; got "q"'),
    });
    expect(halfspace(folder, [...flags, 'a']).err).toContain('expected --pairs to be pairs a*b,c*d of features');
  });
});

describe('verdicts on real data', () => {
  test.each(facts)('%s, %s against the rest: separable is %s', (data, positive, separable) => {
    const flags = positive === null ? [] : ['--positive', positive];
    const { out, status } = halfspace(folder, ['certify', data, ...flags, '--certificate', 'fact.json', '--json']);
    expect(status).toBe(0);
    const result = JSON.parse(out);
    expect(result.separable).toBe(separable);
    if (separable) {
      expect(result.margin).toBeGreaterThan(0);
      expect(result.ceiling).toBeGreaterThanOrEqual(result.margin);
      expect((result.ceiling - result.margin) / result.ceiling).toBeLessThan(1e-6);
      expect(result.bound).toBe(Math.floor((result.radius ** 2 + 1) / result.absorbedMargin ** 2));
    } else expect(result.contradiction.length).toBeLessThanOrEqual(result.features + 2);
    expect(halfspace(folder, ['check', 'fact.json', data])).toMatchObject({ status: 0, err: expect.anything() });
  });

  // The deep suite asks it of all tables.
  const checked = process.env.TEST_DEEP === '1' ? facts : facts.filter(([, positive]) => positive === null).slice(0, 3);
  test.skipIf(!python).each(checked)(
    `%s, %s: an independent checker agrees${python ? '' : ' (skipped: no python3)'}`,
    (data, positive) => {
      const flags = positive === null ? [] : ['--positive', positive];
      expect(halfspace(folder, ['certify', data, ...flags, '--certificate', 'fact.json', '--errors']).status).toBe(0);
      const checked = spawnSync('python3', [independent, 'fact.json', data], { cwd: folder, encoding: 'utf8' });
      expect(checked).toMatchObject({ status: 0, stderr: '' });
      expect(checked.stdout).toMatch(/^holds: (not-)?separable\n$/);
    },
  );
});

describe('certify', () => {
  test('tells verdict, margin and where the certificate is', () => {
    const { out, err, status } = halfspace(folder, ['certify', 'line.csv']);
    expect({ err, status }).toEqual({ err: '', status: 0 });
    expect(out.replace(/^Took.*\n/m, '')).toBe(
      [
        'Read       line.csv: 4 rows, 2 features',
        'Numbers    decimals as written: 0.1 is 1/10',
        'Verdict    separable: a line separates yes from no without error (proved)',
        'Margin     the largest margin is known exactly: 1.802775637 to 1.802775638 (proved)',
        "           radius R 10.29563015; with the bias as a coordinate, this line's margin is γ′ 0.5393,",
        '           so a perceptron makes at most 367 updates, (R² + 1)/γ′²',
        'Kept       line.certificate.json; to verify it: halfspace check line.certificate.json line.csv',
        '',
      ].join('\n'),
    );
    expect(existsSync(join(folder, 'line.certificate.json'))).toBe(true);
  });

  test('shows the rows that contradict each other as they stand in the file', () => {
    const { out } = halfspace(folder, ['certify', 'xor.csv', '--errors']);
    expect(out).toContain('not separable: no line separates yes from no (proved)');
    expect(out).toContain('           row 1: 0,0,no\n           row 2: 1,1,no\n           row 3: 0,1,yes\n');
    expect(out).toContain('the best line has 1 error on these 4 rows');
  });

  test('proves the class of further rows, and keeps these proofs', () => {
    // The labels of these rows are not looked at, and the second one needs doubles.
    writeFileSync(join(folder, 'asked.csv'), 'b,a\n-7,-5\n0.12345678901234567,0\n2,2\n');
    const flags = ['certify', 'line.csv', '--certificate', 'asked.json', '--json'];
    const asked = JSON.parse(halfspace(folder, [...flags, '--predict', 'asked.csv']).out);
    expect(asked).toMatchObject({ numbers: 'doubles', kept: false });
    expect(asked.predictions.map((each: { class: string | null }) => each.class)).toEqual(['no', null, null]);
    expect(halfspace(folder, ['check', 'asked.json', 'line.csv'])).toMatchObject({ status: 0 });
    expect(JSON.parse(halfspace(folder, [...flags, '--numbers', 'doubles']).out).kept).toBe(true);
  });

  test('names two rows that are the same and have different labels', () => {
    const { out } = halfspace(folder, ['certify', 'twins.svm']);
    expect(out).toContain('rows 1 and 3 have the same features but different classes:');
    expect(out).toContain('row 3: -1 1:0.5 3:2');
  });

  test('leaves the middle of long rows out, and says so', () => {
    const cells = Array.from({ length: 500 }, (_, j) => `${j + 1}:0.5`).join(' ');
    writeFileSync(join(folder, 'cells.svm'), `-1 ${cells}\n1 ${cells}\n`);
    const { out } = halfspace(folder, ['certify', 'cells.svm']);
    expect(out).toMatch(/row 2: 1 1:0\.5 2:0\.5 .* … 3,\d{3} characters left out … .* 499:0\.5 500:0\.5\n/);
  });

  test('encoded features where the file has no lines to show', () => {
    const input = readFileSync(join(folder, 'xor.csv'));
    const { out } = halfspace(folder, ['certify', '-', '--certificate', 'stdin.json'], { input });
    expect(out).toContain('row 3: yes b=1\n');
  });

  test('asks which class is meant where there are more than two', () => {
    const { err, status } = halfspace(folder, ['certify', 'penguins.csv']);
    expect(status).toBe(3);
    expect(err).toContain(
      'expected two classes, or a positive one to set against the rest (--positive); got 3: Adelie, Chinstrap, Gentoo',
    );
  });

  test('replaces a certificate, and nothing else', () => {
    write('precious.json', '{ "format": "something else" }');
    const { err, status } = halfspace(folder, ['certify', 'xor.csv', '--certificate', 'precious.json']);
    expect({ err, status }).toEqual({
      err: 'halfspace: precious.json: expected a certificate, or no file, where the certificate goes; got a file of another kind\n',
      status: 4,
    });
    for (const _ of [1, 2]) expect(halfspace(folder, ['certify', 'xor.csv', '--certificate', 'x.json']).status).toBe(0);
  });

  test('standardised columns are said to be what the certificate is about, and check reads them the same way', () => {
    const { out } = halfspace(folder, ['certify', 'line.csv', '--scale', 'standard', '--certificate', 's.json']);
    expect(out).toContain(
      'Numbers    doubles, as binary fractions\n           columns were standardised in floating point\n',
    );
    expect(halfspace(folder, ['check', 's.json', 'line.csv'])).toMatchObject({
      status: 0,
      out: expect.stringContaining('about doubles, as binary fractions; columns were standardised in floating point\n'),
    });
  });

  describe('of rows that are collinear as they are written, and not as doubles', () => {
    const bare = [
      ['0.1', '0.3', 'a'],
      ['0.3', '0.1', 'a'],
      ['0.2', '0.2', 'b'],
    ];
    write('bare.csv', `u,v,class\n${bare.map((row) => row.join(',')).join('\n')}\n`);
    write('bare.tsv', `u\tv\tclass\n${bare.map((row) => row.join('\t')).join('\n')}\n`);
    write('bare.svm', bare.map(([u, v, y]) => `${y === 'a' ? 1 : 2} 1:${u} 2:${v}\n`).join(''));
    write('bare.vw', bare.map(([u, v, y]) => `${y === 'a' ? 1 : 2} |f u:${u} v:${v}\n`).join(''));
    write('bare.ndjson', bare.map(([u, v, y]) => `{"u":${u},"v":${v},"class":"${y}"}\n`).join(''));
    write('long.csv', `${readFileSync(join(folder, 'bare.csv'), 'utf8')}0.2000000000000000001,0.9,a\n`);

    test.each(some(['bare.csv', 'bare.tsv', 'bare.svm', 'bare.vw', 'bare.ndjson'], 2))(
      '%s contradicts itself',
      (data) => {
        const { out } = halfspace(folder, ['certify', data, '--certificate', 'bare.json', '--canonical', 'bare.rows']);
        expect(out).toContain('Numbers    decimals as written: 0.1 is 1/10\n');
        expect(out).toContain('these 3 rows contradict each other');
        expect(readFileSync(join(folder, 'bare.rows'), 'utf8')).toMatch(
          /^-1 \d:1e-1 \d:3e-1\n-1 \d:3e-1 \d:1e-1\n\+1 \d:2e-1 \d:2e-1\n$/,
        );
        for (const read of [[data], ['--canonical', 'bare.rows']])
          expect(halfspace(folder, ['check', 'bare.json', ...read]).out).toMatch(
            /^Check {6}holds for .*\n {11}about decimals as written: 0.1 is 1\/10\n/,
          );
      },
    );

    test('is separable on request for doubles, and both say so', () => {
      const asked = ['--numbers', 'doubles', '--certificate', 'd.json', '--canonical', 'd.rows'];
      const { out } = halfspace(folder, ['certify', 'bare.csv', ...asked]);
      expect(out).toContain('Numbers    doubles, as binary fractions: --numbers doubles\n');
      expect(out).toContain('separable: a line separates b from a without error (proved)');
      expect(halfspace(folder, ['check', 'd.json', 'bare.csv']).out).toContain('about doubles, as binary fractions\n');
      expect(halfspace(folder, ['check', 'd.json', '--canonical', 'd.rows']).status).toBe(0);
      expect(halfspace(folder, ['check', 'd.json', '--canonical', 'bare.rows']).status).toBe(1);
    });

    test('a number that doubles do not hold makes doubles meant, and cannot come in later', () => {
      const { out } = halfspace(folder, ['certify', 'long.csv', '--certificate', 'l.json']);
      expect(out).toContain('doubles, as binary fractions: long.csv has 0.2000000000000000001, and no double');
      write('later.csv', readFileSync(join(folder, 'bare.csv'), 'utf8').replace('0.3,a', '0.30000000000000000001,a'));
      halfspace(folder, ['certify', 'bare.csv', '--certificate', 'bare.json']);
      expect(halfspace(folder, ['check', 'bare.json', 'later.csv'])).toMatchObject({
        status: 1,
        out: expect.stringContaining('the numbers cannot be meant as written: later.csv has 0.30000000000000000001'),
      });
    });
  });

  test('an interruption leaves an open verdict and a certificate of what was found', { timeout: 300_000 }, async () => {
    const result = await interruptedCertify(folder);
    expect(result).toMatchObject({ separable: null, interrupted: true, margin: null });
    expect(result.ceiling).toBeGreaterThan(0);
    expect(halfspace(folder, ['check', result.certificate, 'hard.svm']).status).toBe(0);
  });
});

/** The paths of all members of a value. */
function pathsIn(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => [[...path, name], ...pathsIn(each, [...path, name])]);
}

describe('check', () => {
  halfspace(folder, ['certify', 'xor.csv', '--certificate', 'xor.json']);

  test('says what holds', () => {
    expect(halfspace(folder, ['check', 'xor.json', 'xor.csv'])).toEqual({
      status: 0,
      err: '',
      out: 'Check      holds for xor.csv: not-separable\n           about decimals as written: 0.1 is 1/10\n           no line is right on all of rows 1, 2, 3, 4: the two classes meet in one point\n',
    });
  });

  test('exits with 1 against other data, and says why', () => {
    write('other.csv', 'a,b,class\n0,0,no\n1,1,no\n0,1,yes\n1,0.5,yes\n');
    expect(halfspace(folder, ['check', 'xor.json', 'other.csv'])).toEqual({
      status: 1,
      err: '',
      out: 'Check      does not hold for other.csv\n           the data are not those the certificate is about: their digest differs\n',
    });
  });

  test('exits with 1 where text has a feature that the certificate does not know', () => {
    halfspace(folder, ['certify', 'twins.svm', '--certificate', 'twins.json']);
    write('more.svm', '+1 1:0.5 3:2\n-1 2:1 9:1\n-1 1:0.5 3:2\n');
    const { out, status } = halfspace(folder, ['check', 'twins.json', 'more.svm']);
    expect(status).toBe(1);
    expect(out).toContain('the data have other features than the certificate is about');
  });

  test('exits with 1 where the certificate was changed', () => {
    write('changed.json', readFileSync(join(folder, 'xor.json'), 'utf8').replace('"total":"4"', '"total":"5"'));
    const { out, status } = halfspace(folder, ['check', 'changed.json', 'xor.csv', '--json']);
    expect(status).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      holds: false,
      reason: 'the certificate was changed after it was made: its own digest does not fit',
    });
  });

  test.each([
    ['an unknown kind of features', '"kind":"table"', '"kind":"chair"'],
    ['a column less', '"name":"b"', '"name":"c"'],
    ['other classes', '"classes":["no","yes"]', '"classes":["no"]'],
    ['another digest', '"digest": "sha256:', '"digest": "sha256:0'],
  ])('exits with 1 where the certificate was changed to say how its data are read otherwise: %s', (_, from, to) => {
    const text = readFileSync(join(folder, 'xor.json'), 'utf8');
    expect(text).toContain(from);
    write('changed.json', text.replace(from, to));
    expect(halfspace(folder, ['check', 'changed.json', 'xor.csv'])).toEqual({
      status: 1,
      err: '',
      out: 'Check      does not hold for xor.csv\n           the certificate was changed after it was made: its own digest does not fit\n',
    });
  });

  const pairs = ['cats,dogs', 'yes,no', 'no,no', 'yes,yes', 'NO,YES', 'not yes,yes', 'no,not no', 'no ,yes', ','];
  const ofData = ['xor.csv', 'signs.svm'].flatMap((data) => pairs.map((pair) => [data, pair] as const));
  test.each(some(ofData, 5))('never says that %s has the classes %s', async (data, pair) => {
    write('signs.svm', '+1 1:0.5 3:2\n-1 2:1\n');
    halfspace(folder, ['certify', data, '--certificate', 'named.json']);
    const whole = JSON.parse(readFileSync(join(folder, 'named.json'), 'utf8'));
    const classes = pair.split(',');
    const [negative, positive] = classes;
    const label = { ...whole.data.features.label, classes, negative, positive };
    for (const features of [whole.data.features, { ...whole.data.features, label }]) {
      const forged = { ...whole, data: { ...whole.data, classes, features } };
      forged.digest = await digestOfCertificate(forged);
      write('forged.json', JSON.stringify(forged));
      expect(halfspace(folder, ['check', 'forged.json', data]).status, JSON.stringify(forged.data)).not.toBe(0);
      // The checker in Python reads "not yes" as all other labels, which is true.
      if (!python || negative === `not ${positive}`) continue;
      const options = { cwd: folder, encoding: 'utf8' } as const;
      expect(spawnSync('python3', [independent, 'named.json', data], options)).toMatchObject({ status: 0 });
      expect(
        spawnSync('python3', [independent, 'forged.json', data], options).status,
        JSON.stringify(forged.data),
      ).not.toBe(0);
    }
  });

  const many = `id,a,b,d,when,label\n${Array.from({ length: 12 }, (_, i) => `${i + 1},${i / 2},${i % 3 ? 'x' : 'y'},${i || ''},2020-01-${10 + i},${i % 5 ? 'no' : 'yes'}\n`).join('')}`;
  test.each([
    ['table.csv', many],
    ['text.vw', '1 | a:0.5 b\n-1 | b:2 c\n1 |n x:3\n'],
    ['text.svm', '+1 1:0.5 3:2\n-1 2:1\n+1 1:3\n'],
  ])('no member of the data of %s can be changed', { timeout: 120_000 }, async (data, text) => {
    write(data, text);
    halfspace(folder, ['certify', data, '--certificate', 'members.json']);
    const whole = JSON.parse(readFileSync(join(folder, 'members.json'), 'utf8'));
    expect(halfspace(folder, ['check', 'members.json', data]).status).toBe(0);
    for (const [k, path] of some(pathsIn(whole.data), 3).entries()) {
      const forged = structuredClone(whole);
      const parent = path.slice(0, -1).reduce((at, name) => at[name], forged.data);
      const name = path.at(-1)!;
      const old = parent[name];
      if (k % 4 === 0 && !Array.isArray(parent)) delete parent[name];
      else if (typeof old === 'number') parent[name] = old + 1;
      else if (typeof old === 'string') parent[name] = `${old}x`;
      else if (typeof old === 'boolean') parent[name] = !old;
      else parent[name] = Array.isArray(old) ? [...old, 'x'] : { ...old, more: 1 };
      forged.digest = await digestOfCertificate(forged);
      write('forged.json', JSON.stringify(forged));
      expect(halfspace(folder, ['check', 'forged.json', data]).status, `${path}: ${parent[name]}`).not.toBe(0);
    }
  });

  test.each([
    ['{', 'expected a certificate (JSON); got other text'],
    ['{}', 'expected a certificate; got other JSON'],
    ['{"format":"halfspace-certificate"}', 'expected the names of two classes in the certificate; got none'],
  ])('exits with 3 for a file of %s', (text, message) => {
    write('none.json', text);
    const { err, status } = halfspace(folder, ['check', 'none.json', 'xor.csv']);
    expect({ err, status }).toEqual({ err: `halfspace: none.json: ${message}\n`, status: 3 });
  });

  test('does not load what finds certificates', () => {
    write('tell.cjs', "process.on('exit', () => console.error('\\n' + JSON.stringify(Object.keys(require.cache))));");
    const loaded = (...args: string[]) => {
      const { stderr } = spawnSync(process.execPath, ['--require', './tell.cjs', command, ...args], {
        cwd: folder,
        encoding: 'utf8',
      });
      return (JSON.parse(stderr.trimEnd().split('\n').at(-1)!) as string[]).map((file) => basename(file));
    };
    expect(loaded('check', 'xor.json', 'xor.csv')).not.toContain('highs.js');
    expect(loaded('certify', 'twins.svm', '--certificate', 'y.json')).not.toContain('tables-source.js');
    expect(loaded('inspect', 'absent.json')).not.toContain('certify.js');
  });
});
