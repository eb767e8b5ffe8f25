import { spawn } from 'node:child_process';

/** Shows a page in the person's browser, where there is one; if not, they have its address. */
export function openPage(url: string): void {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '""', url]
        : ['xdg-open', url];
  try {
    spawn(command!, args, { stdio: 'ignore', detached: true })
      .on('error', () => {})
      .unref();
  } catch {
    // The address is on the terminal.
  }
}
