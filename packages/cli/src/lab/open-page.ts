import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from 'halfspace/node';
import { escaped } from '../report/page/html.ts';

/**
 * Shows a page in the person's browser, where there is one; if not, they have its address.
 *
 * The arguments of a process can be read by every user of a machine, and an address with a token is a secret. So the browser is given a
 * file that only this user can read, and the file leads to the address. It is removed when the process ends.
 */
export function openPage(url: string): void {
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
    // The address is on the terminal.
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
