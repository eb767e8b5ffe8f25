import type { OutputKind } from './output-kinds.ts';

/** What a command does with files: which arguments and options name files that it reads, and which name files that it writes. */
export interface FileUses {
  readonly reads: readonly string[];
  readonly writes: Readonly<Record<string, Written>>;
}

export interface Written {
  readonly kind: OutputKind;
  /** Behind the name of the data, where the option is not given. Default: nothing is written then. */
  readonly suffix?: string;
}

const rejects: Written = { kind: 'rejects', suffix: '.rejects' };

/**
 * Every argument and option of every command that names a file, by its name in the parsed options. An option that writes must be here: only
 * so is it certain that it does not write over what is read.
 */
export const fileUses = {
  train: {
    reads: ['data', 'validate', 'features'],
    writes: {
      model: { kind: 'model', suffix: '.model.json' },
      drawing: { kind: 'drawing' },
      ledger: { kind: 'ledger' },
      report: { kind: 'report' },
      rejects,
    },
  },
  predict: { reads: ['model', 'data'], writes: { output: { kind: 'predictions' }, rejects } },
  evaluate: { reads: ['model', 'data'], writes: { report: { kind: 'report' }, rejects } },
  compare: { reads: ['data', 'features'], writes: { rejects } },
  certify: {
    reads: ['data', 'features'],
    writes: { certificate: { kind: 'certificate', suffix: '.certificate.json' }, rejects },
  },
  check: { reads: ['certificate', 'data'], writes: { rejects } },
  inspect: { reads: ['model'], writes: { drawing: { kind: 'drawing' } } },
  ledger: { reads: ['ledger', 'data'], writes: { model: { kind: 'model' }, rejects } },
  lab: { reads: ['data'], writes: {} },
} as const satisfies Readonly<Record<string, FileUses>>;

export type CommandName = keyof typeof fileUses;
