import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from 'halfspace/node';
import { escaped } from '../report/page/html.ts';

/**
 * Opens a page in the user's browser. Without a browser, the user still has the printed address.
 *
 * Every user of a machine can read the arguments of a process, and an address with a token is a secret. So the browser
 * gets a file that only this user can read and that redirects to the address. The file is removed when the process
 * ends.
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
