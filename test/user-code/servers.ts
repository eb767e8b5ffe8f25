/* Code of users that imports everything, with the declarations of other packages. It is never run. */
import * as halfspace from 'halfspace';
import * as checks from 'halfspace/checks';
import * as models from 'halfspace/models';
import * as node from 'halfspace/node';
import * as parsers from 'halfspace/node/parsers';
import * as online from 'halfspace/online';
import * as printable from 'halfspace/printable';
import * as runs from 'halfspace/runs';
import * as shards from 'halfspace/shards';
import * as tables from 'halfspace/tables';
import * as certify from 'halfspace-certify';
import * as rows from 'halfspace-certify/rows';
import * as distributed from 'halfspace-distributed';
import * as server from 'halfspace-server';

interface Mail {
  readonly links: number;
}

export async function learn(models: server.Models, mail: Mail): Promise<readonly string[] | null> {
  const model = await models.put('mails', { kind: 'learning', options: { rule: 'arow' } });
  await model.learn([{ row: mail, label: 'ham' }]);
  return model.answer(mail).unknown;
}

void [
  halfspace,
  certify,
  rows,
  distributed,
  server,
  checks,
  models,
  online,
  runs,
  shards,
  tables,
  node,
  parsers,
  printable,
];
