import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { Algorithm } from '../../src/algorithm/algorithm.ts';
import { codeOf, commandOf, fileNameOf } from '../../src/algorithm/command.ts';
import { type Dataset, pointsToCsv } from '../../src/data/dataset.ts';
import type { Examples } from '../../src/engine/examples.ts';

const bin = fileURLToPath(new URL('../../../../packages/cli/bin/halfspace.cjs', import.meta.url));
/** Third-party data; may be absent. */
export const sharedData = fileURLToPath(new URL('../../../../../shared/data', import.meta.url));

/** A folder in which a shell runs what the lab says. */
export class CommandLine {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'halfspace-lab-'));

  /** The model file that the printed command makes of the exported data. */
  model(dataset: Dataset, algorithm: Algorithm, { encoding }: Pick<Examples, 'encoding'>): string {
    const name = fileNameOf(dataset);
    writeFileSync(path.join(this.folder, name), dataset.kind === 'points' ? pointsToCsv(dataset) : dataset.text);
    return this.run(commandOf(dataset, algorithm, null, encoding));
  }

  /** Runs a line of a shell; what it writes to the model file. */
  run(line: string): string {
    const model = path.join(this.folder, 'out.model.json');
    rmSync(model, { force: true });
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', `${line.replace(/^halfspace/, `'${process.execPath}' '${bin}'`)} --model out.model.json`],
      {
        cwd: this.folder,
      },
    );
    if (status !== 0) throw new Error(`${line}\n${stderr}`);
    return readFileSync(model, 'utf8');
  }

  /** The model file that the code writes of the exported data. */
  modelOfCode(dataset: Dataset, algorithm: Algorithm, { encoding }: Pick<Examples, 'encoding'>): string {
    const name = fileNameOf(dataset);
    const modules = path.join(this.folder, 'node_modules');
    if (!existsSync(modules)) symlinkSync(fileURLToPath(new URL('../../../../node_modules', import.meta.url)), modules);
    writeFileSync(path.join(this.folder, name), dataset.kind === 'points' ? pointsToCsv(dataset) : dataset.text);
    const { outputText } = ts.transpileModule(codeOf(dataset, algorithm, encoding), {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023, verbatimModuleSyntax: true },
    });
    writeFileSync(path.join(this.folder, 'code.mjs'), outputText);
    const { status, stderr } = spawnSync(process.execPath, ['code.mjs'], { cwd: this.folder });
    if (status !== 0) throw new Error(stderr.toString());
    return readFileSync(path.join(this.folder, name.replace(/\.[a-z]+$/, '.model.json')), 'utf8');
  }

  clear(): void {
    rmSync(this.folder, { recursive: true });
  }
}
