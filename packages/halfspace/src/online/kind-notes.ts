import { wordReader } from '../features/cell-forms.ts';
import { setText } from '../features/set/list.ts';
import { membersOf } from '../features/set/members.ts';
import type { CellForm, NumberNotation, SetForm } from '../features/table-encoding.ts';
import { formatNote, undecidedNote } from '../table/date-cells.ts';
import { codeNote, mixedNote, mixtureNote, notationNote, type ReadAs, setNote, singlesNote } from '../table/kinds.ts';
import { columnFlag } from '../table/listed.ts';
import { valueTally } from '../table/value-kinds.ts';

/** Returns notes on how a field is read whose first values are unusual, as a table of them would have. */
export function kindNotes(name: string, { kind, form }: ReadAs, values: readonly unknown[]): string[] {
  if (kind === 'boolean') return [];
  if (kind === 'set') {
    const example = values
      .map((value) => setText(value, name)!)
      .find((text) => membersOf(text, (form as SetForm).separator).size > 1);
    return [setNote(name, example, form as SetForm)];
  }
  const tally = valueTally(name, values);
  const mixture = mixtureNote(name, tally, kind);
  if (mixture !== null || kind === 'text') return said(mixture);
  const { numbers, dates, stray, formats } = tally;
  const cells = tally.cells - (kind === 'category' ? 0 : tally.unwritten);
  if (kind !== 'category') {
    const read = kind === 'number' ? numbers : dates;
    const others = `column ${name} is read as ${kind}s: ${cells - read} of its first ${cells} values count as missing, as they are none${stray === null || kind === 'date' ? '' : `, such as ${JSON.stringify(stray)}`} (${columnFlag(name, 'category')} keeps the words)`;
    const isDate = wordReader('date', form as CellForm | undefined);
    const written =
      typeof form === 'string'
        ? formatNote(name, form, values.map(String).find((value) => Number.isFinite(isDate(value)))!)
        : form === undefined
          ? formats?.format === null
            ? undecidedNote(name, formats, `${kind}s`)
            : null
          : notationNote(name, { ...tally, form: form as NumberNotation });
    return [...said(written), ...said(read === cells ? null : others)];
  }
  if (formats?.format === null) return said(undecidedNote(name, formats));
  // Online learning takes no words for missing values, so none is offered.
  const written = codeNote(name, tally) ?? mixedNote(name, { ...tally, measured: false });
  return [...said(written), ...said(singlesNote(name, tally))];
}

function said(note: string | null): string[] {
  return note === null ? [] : [note];
}
