import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HalfspaceError } from 'halfspace';
import { folderFiles, type Site, serveSite } from 'halfspace-server/site';

/** The folder of the built page. */
const folder = fileURLToPath(new URL('./lab', import.meta.url));

/** The lab uses WebAssembly, workers, fonts, pictures that it made, and styles of formulas. */
const sources = {
  'script-src': "'self' 'wasm-unsafe-eval'",
  'worker-src': "'self' blob:",
  'style-src': "'self' 'unsafe-inline'",
  'font-src': "'self'",
  'img-src': "'self' data: blob:",
  'media-src': "'self' blob:",
  'manifest-src': "'self'",
};

/** The table that the page opens. */
export interface ServedTable {
  /** Its file's name, as the page shows it. */
  readonly name: string;
  /** Returns CSV with a header; called for every reader. */
  readonly pieces: () => AsyncIterable<Uint8Array>;
}

/** Number of ports that are tried after the usual one. */
const tries = 20;
const usualPort = 4280;

/** Number of random bytes in the address of a table: 192 bits cannot be guessed. */
const tokenBytes = 24;

interface ServedLab extends Site {
  /** Path of the table relative to the page, with the token; null without a table. */
  readonly dataPath: string | null;
}

/**
 * Serves the lab on the loopback address of this machine. The page is not secret. The path of the table contains a
 * token, because every user and every program of this machine can reach the address.
 *
 * @param frames origins of pages that may show the lab in a frame.
 * @param port null for the usual port, or the next free one.
 * @param onFault called with an error that occurred while the table was read. The client does not get its text.
 * @throws HalfspaceError `option-invalid` for a port in use; `source-unreadable` if the page was not built.
 */
export async function serveLab(
  table: ServedTable | null,
  frames: readonly string[],
  port: number | null,
  onFault: (error: unknown) => void,
): Promise<ServedLab> {
  const under = `data/${randomBytes(tokenBytes).toString('base64url')}`;
  const site = await serveSite({
    files: folderFiles(filesOfPage()),
    sources: frames.length === 0 ? sources : { ...sources, 'frame-ancestors': frames.join(' ') },
    data:
      table === null
        ? null
        : { path: `/${under}/${table.name}`, type: 'text/csv; charset=utf-8', pieces: table.pieces },
    port: port ?? usualPort,
    furtherPorts: port === null ? tries : 0,
    onFault,
    faultShownBy: 'the terminal of halfspace lab',
  });
  return { ...site, dataPath: table === null ? null : `${under}/${encodeURIComponent(table.name)}` };
}

/** Lists the files of the page, so that the path of a request is never looked up in the file system. */
function filesOfPage(): Map<string, string> {
  const files = new Map<string, string>();
  try {
    for (const path of readdirSync(folder, { recursive: true }) as string[])
      if (statSync(join(folder, path)).isFile()) files.set(`/${path.split(sep).join('/')}`, join(folder, path));
  } catch {
    // Treated as a missing page.
  }
  if (!files.has('/index.html'))
    throw new HalfspaceError('source-unreadable', 'expected the lab beside the command; got none: run npm run build');
  return files;
}
