import { reportFailure } from '../failure.ts';
import { claimFiles } from '../files/claim.ts';
import { openPage } from '../lab/open-page.ts';
import { serveLab } from '../lab/site.ts';
import type { CommandOptions } from '../options.ts';
import { openOutput } from '../output.ts';
import { interruptSignal } from '../signals.ts';

/** Runs `halfspace lab`: serves the page until it is interrupted. */
export async function lab(data: readonly string[], given: CommandOptions<'lab'>): Promise<void> {
  const options = await claimFiles('lab', { data }, given);
  const signal = interruptSignal();
  const wanted = data.length > 0 || options.sql !== undefined;
  const table = wanted ? await (await import('../lab/served-table.ts')).openServedTable(data, options) : null;
  const { frame = [], port = null } = options;
  const { url, dataPath, server } = await serveLab(table, frame, port, (error) => void reportFailure(error));
  const query = new URLSearchParams();
  if (dataPath !== null) query.set('data', dataPath);
  if (options.label !== undefined) query.set('label', options.label);
  const address = query.size === 0 ? url : `${url}?${query}`;
  const lines = [
    `The lab is at ${address}`,
    ...(dataPath === null ? [] : ['Anybody with this address can read the data: keep it secret.']),
    ...(frame.length === 0 ? [] : [`Pages of ${frame.join(' and ')} may show it in a frame.`]),
    'It runs on this machine only. Ctrl-C ends it.',
  ];
  const output = openOutput();
  await output.write(`${lines.join('\n')}\n`);
  await output.finish();
  if (options.open) openPage(address);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });
  server.closeAllConnections();
  server.close();
}
