import { decodeModel, OnlineClassifier } from 'halfspace';
import { ModelState } from '../state/model-state.ts';
import type { ModelContent, PutContent } from './contract.ts';
import { limitsOf } from './limits.ts';

/**
 * Reads a content in a thread that is not that of the service, so far that a model of it takes little time there. The
 * result can be sent to that thread.
 *
 * @param name that the model will have.
 * @throws HalfspaceError as `Models.put`.
 */
export function readContent(content: ModelContent, name: string): PutContent {
  if (content.kind === 'frozen') {
    const model = decodeModel(content.file);
    // Weights that are kept sparse would be sent as dense ones.
    const functions = 'functions' in model ? model.functions : [model];
    const isSparse = functions.some((each) => 'sparse' in each && each.sparse !== undefined);
    return isSparse ? content : { ...content, model };
  }
  if (content.kind === 'learning') return content;
  const state =
    content.kind === 'snapshot'
      ? ModelState.load(content.bytes, name, 'taken')
      : ModelState.begin(name, OnlineClassifier.load(content.state), limitsOf(content.limits).ids, content.state);
  return { kind: 'read', parts: state.parts(), snapshot: state.snapshot() };
}
