import type { WordList } from 'halfspace/tables';
import { type Database, queryIn, sqlText } from './duckdb.ts';
import { inlineBytes } from './vectors.ts';

/*
 * The known words of a column are an ENUM type of DuckDB, so that most cells arrive as numbers, and only new words
 * become JavaScript strings.
 */

/** A DuckDB ENUM of the words of a list. */
export interface WordEnum {
  readonly type: string;
  readonly database: Database;
  /** By value of the ENUM: number of the word in the list. */
  readonly codes: Uint32Array;
  /** Length of the list when the ENUM was made. */
  readonly length: number;
}

let enums = 0;

/**
 * Makes an ENUM of the words of a list, to be dropped after use; null if all words are short, which are faster without.
 */
export async function createEnum(list: WordList, database: Database): Promise<WordEnum | null> {
  if (!list.words.some((word) => word !== null && Buffer.byteLength(word) > inlineBytes)) return null;
  const codes: number[] = [];
  const values: string[] = [];
  list.words.forEach((word, code) => {
    // A literal of SQL cannot hold a zero byte; such a word arrives as text.
    if (word === null || word.includes('\0')) return;
    codes.push(code);
    values.push(sqlText(word));
  });
  if (values.length === 0) return null;
  const type = `words_${enums++}`;
  await queryIn(database, `CREATE TYPE ${type} AS ENUM (${values.join(', ')})`);
  return { type, database, codes: Uint32Array.from(codes), length: list.words.length };
}

export async function dropEnum({ type, database }: WordEnum): Promise<void> {
  await queryIn(database, `DROP TYPE ${type}`);
}
