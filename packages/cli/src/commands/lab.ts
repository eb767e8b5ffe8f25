import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from 'halfspace/node';
import { reportFailure } from '../failure.ts';
import { claimFiles } from '../files/claim.ts';
import { serveLab } from '../lab/site.ts';
import type { CommandOptions } from '../options.ts';
import { openOutput } from '../output.ts';
import { escaped } from '../report/page/html.ts';
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

/**
 * Opens a page in the user's browser. Without a browser, the user still has the printed address.
 *
 * Every user of a machine can read the arguments of a process, and an address with a token is a secret. So the browser
 * gets a file that only this user can read and that redirects to the address. The file is removed when the process
 * ends.
 */
function openPage(url: string): void {
  try {
    const path = join(temporaryFolder().path, 'open-lab.html');
    writeFileSync(path, redirection(url), { mode: 0o600 });
    const [command, ...args] =
      process.platform === 'darwin'
        ? ['open', path]
        : process.platform === 'win32'
          ? ['cmd', '/c', 'start', '""', path]
          : ['xdg-open', path];
    spawn(command!, args, { stdio: 'ignore', detached: true })
      .on('error', () => {})
      .unref();
  } catch {
    // The address is printed on the terminal.
  }
}

function redirection(url: string): string {
  const address = escaped(url);
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<title>halfspace lab</title>
<p><a href="${address}">The lab</a></p>
`;
}
