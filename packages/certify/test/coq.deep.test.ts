import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Certificate } from '../src/certificate.ts';
import { certify } from '../src/certify.ts';
import { canonicalRows, examplesOf } from '../src/rows.ts';
import { labelled } from './support/examples.ts';

const coq = join(import.meta.dirname, '../coq');
const has = (name: string) => spawnSync(name, ['--version']).status === 0;
const isThere = has('coqc') && has('python3');

describe.skipIf(!isThere)(
  `the checker that is proved in Coq${isThere ? '' : ' (skipped: no coqc or no python3)'}`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'coq-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    function run(name: string, args: readonly string[]) {
      return spawnSync(name, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
    }

    /** Tests if the kernel of Coq accepts all claims of a certificate. */
    function isProved(certificate: Certificate, rows: Uint8Array): boolean {
      writeFileSync(join(folder, 'c.json'), JSON.stringify(certificate));
      writeFileSync(join(folder, 'c.rows'), rows);
      const claims = run('python3', [join(coq, 'claims.py'), 'c.json', 'c.rows']);
      expect(claims).toMatchObject({ status: 0, stderr: '' });
      writeFileSync(join(folder, 'Claims.v'), claims.stdout);
      const { status, stderr } = run('coqc', ['-Q', '.', '', 'Claims.v']);
      if (status !== 0) expect(stderr).toMatch(/= true|Unable to unify/);
      return status === 0;
    }

    beforeAll(() => {
      copyFileSync(join(coq, 'Certificate.v'), join(folder, 'Certificate.v'));
      expect(run('coqc', ['Certificate.v'])).toMatchObject({ status: 0, stderr: '' });
    }, 120_000);

    test('its theorems rest on the axioms of the real numbers alone', () => {
      writeFileSync(
        join(folder, 'Axioms.v'),
        ['separator_sound', 'contradiction_sound', 'ceiling_sound'].reduce(
          (text, name) => `${text}Print Assumptions ${name}.\n`,
          'Require Import Certificate.\n',
        ),
      );
      const { status, stdout } = run('coqc', ['-Q', '.', '', 'Axioms.v']);
      expect(status).toBe(0);
      const axioms = [...stdout.matchAll(/^(\S+)\s*:/gm)].map(([, name]) => name!).filter((name) => name !== 'Axioms');
      expect([...new Set(axioms)].sort()).toEqual([
        'ClassicalDedekindReals.sig_forall_dec',
        'ClassicalDedekindReals.sig_not_dec',
        'FunctionalExtensionality.functional_extensionality_dep',
      ]);
    });

    test('it accepts certificates, and refuses them with a number changed', { timeout: 600_000 }, async () => {
      const decimals = fc.integer({ min: -20, max: 20 }).map((each) => each / 10);
      const verdicts = new Set<string>();
      await fc.assert(
        fc.asyncProperty(labelled(decimals, 7), fc.boolean(), fc.nat(), async ({ rows, labels }, written, at) => {
          const examples = examplesOf(rows, labels, ['-1', '1'], written ? 'written' : 'doubles');
          const certificate = await certify(examples, { classes: ['-1', '1'] });
          verdicts.add(certificate.verdict);
          const canonical = canonicalRows(examples);
          expect(isProved(certificate, canonical)).toBe(true);
          const others = falseClaims(certificate);
          expect(isProved(others[at % others.length]!, canonical)).toBe(false);
        }),
        {
          numRuns: 5,
          examples: [
            [{ rows: [[0], [0.1], [0.3]], labels: [-1, -1, 1] }, true, 0],
            [{ rows: [[0], [0.1], [0.2]], labels: [1, -1, 1] }, true, 0],
          ],
        },
      );
      expect(verdicts.size).toBe(2);
    });
  },
);

/** Certificates that claim more than is true. */
function falseClaims(certificate: Certificate): Certificate[] {
  const { separator, ceiling, contradictions } = certificate;
  const more = (fraction: string, sign: bigint) => {
    const [a, b = '1'] = fraction.split('/') as [string, string?];
    return `${BigInt(a) * 1_000_000n + sign * BigInt(a)}/${BigInt(b) * 1_000_000n}`;
  };
  const raised = (list: readonly string[], k: number) => list.map((w, i) => (i === k ? String(BigInt(w) + 1n) : w));
  if (separator === null)
    return contradictions.flatMap((each) =>
      each.weights.map((_, k) => ({ ...certificate, contradictions: [{ ...each, weights: raised(each.weights, k) }] })),
    );
  return [
    { ...certificate, separator: { ...separator, marginSquared: more(separator.marginSquared, 1n) } },
    { ...certificate, separator: { ...separator, weights: separator.weights.map((w) => String(-BigInt(w))) } },
    { ...certificate, ceiling: { ...ceiling!, marginSquared: more(ceiling!.marginSquared, -1n) } },
    { ...certificate, ceiling: { ...ceiling!, weights: raised(ceiling!.weights, 0) } },
  ];
}
