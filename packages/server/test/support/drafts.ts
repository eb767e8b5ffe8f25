import type { Example } from '../../src/models/contract.ts';
import { changeJson, type ShadowChange, shadowDraft } from '../../src/state/control-record.ts';
import { type Draft, exampleContent, exampleDraft, lessonJson, rowJson } from '../../src/state/example-record.ts';
import { contentOf, idOf, recordedId } from '../../src/state/recent-ids.ts';

/** Returns the record of an example, as the service writes it. */
export function draftOf(id: string | null, { label, importance, row }: Omit<Example, 'id'>): Draft {
  const [lesson, json] = [lessonJson(label, importance), rowJson(row)];
  return exampleDraft(id === null ? null : recordedId(id, exampleContent(lesson, json)), lesson, json);
}

/** Returns the record of a change, as the service writes it. */
export function changeDraftOf(id: string, change: ShadowChange): Draft {
  const options = changeJson(change);
  return shadowDraft(recordedId(`\x01${change.kind}/${id}`, contentOf(options)), change, options);
}

/** Returns the id that a client gave, of one in a snapshot. */
export function givenId(recorded: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ids of changes begin with it.
  return (recorded.includes('\0') ? idOf(recorded) : recorded).replace(/^\x01\w+\//, '');
}
