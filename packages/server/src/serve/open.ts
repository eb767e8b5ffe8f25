import { HalfspaceError } from 'halfspace';
import { quote } from 'halfspace/internal';
import { readWholeText, wholeKinds } from 'halfspace/node';
import type { Models } from '../models/contract.ts';
import { memoryModels, type OpenModelsOptions, openModels } from '../models/open-models.ts';
import type { Note } from '../models/settings.ts';
import { filesByName } from './names.ts';

/**
 * Opens the models of a service: those of a folder, if there is one, and model files.
 *
 * @param files paths of model files. In a folder each becomes a model, or replaces the frozen model of its name.
 * @param dir null: nothing is durable, so nothing learns.
 * @throws HalfspaceError `option-invalid` without files and folder, and for a file with the name of a model that
 *   learns; `source-unreadable`; as `openModels` and `decodeModel`, with the name of the file.
 */
export async function openService(
  files: readonly string[],
  dir: string | null,
  onNote: (note: Note) => void,
  { segmentBytes, strict, budget }: Pick<OpenModelsOptions, 'segmentBytes' | 'strict' | 'budget'> = {},
): Promise<Models> {
  if (files.length === 0 && dir === null)
    throw new HalfspaceError('option-invalid', 'expected model files, or --dir for models that learn; got neither');
  const texts = new Map<string, string>();
  for (const [name, path] of filesByName(files)) texts.set(name, readWholeText(path, wholeKinds.model));
  if (dir === null) {
    // One by one, so that an error names its file.
    for (const [name, text] of texts) inFile(name, files, () => memoryModels({ [name]: text }));
    return memoryModels(Object.fromEntries(texts));
  }
  const models = await openModels({ dir, onNote, segmentBytes, strict, budget });
  try {
    for (const [name, file] of texts) {
      const before = models.get(name);
      if (before?.kind === 'learning')
        throw new HalfspaceError(
          'option-invalid',
          `expected a file with the name of no model that learns; got ${quote(name)}, which does: rename the file`,
        );
      if (before?.modelFile() !== file) await models.put(name, { kind: 'frozen', file });
    }
  } catch (error) {
    await models.close();
    throw error;
  }
  return models;
}

function inFile(name: string, files: readonly string[], run: () => void): void {
  try {
    run();
  } catch (error) {
    const source = filesByName(files).get(name);
    throw error instanceof HalfspaceError && source !== undefined ? error.at({ source }) : error;
  }
}
