export interface SourceColumn {
  readonly name: string;
  readonly type: SourceType;
  /** In the table, from 0. */
  readonly position: number;
}

/**
 * `cell`: text whose meaning its letters tell; `text`: text that its table says is text; `nested` and `unsupported` columns are left
 * out.
 */
export type SourceType = 'cell' | 'text' | 'number' | 'boolean' | 'date' | 'time' | 'nested' | 'unsupported';
