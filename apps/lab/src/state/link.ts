import { deflateSync, Inflate, strFromU8, strToU8 } from 'fflate';
import { parseSavedState, type SavedState } from './saved-state.ts';
import { lengthen, type ShortState, shorten } from './short-state.ts';

/** Start of a link's hash: `#lab=`, then the version of the encoding. */
const prefix = '#lab=2.';
/** Length up to which browsers, mail programs and chats pass on links unharmed, to our knowledge. */
export const longestLink = 30_000;
/** The largest size that a link may unpack to, in bytes. */
const mostBytes = 1 << 28;

/**
 * Encodes a state as the hash of a link: what differs from the defaults and from a preset as JSON, deflated if that is
 * shorter, then the bytes of points if there are any, then a checksum; each in base64url.
 * @throws Error for data in a file, which no link holds.
 */
export async function encodeLink(kept: SavedState): Promise<string> {
  if (kept.dataset.kind === 'table' && kept.dataset.file !== undefined)
    throw new Error('The data are a file, which is too large for a link.');
  const { plain, bytes } = await shorten(kept);
  const json = strToU8(JSON.stringify(plain));
  const deflated = deflateSync(json, { level: 9 });
  const text = json.length <= deflated.length ? `j${toBase64Url(json)}` : `z${toBase64Url(deflated)}`;
  const content = bytes.length === 0 ? text : `${text}.${toBase64Url(bytes)}`;
  return `${prefix}${content}.${checkSum(content)}`;
}

/**
 * Decodes the hash of a link.
 * @throws Error with a message for the user if the link was cut or changed.
 */
export async function decodeLink(hash: string): Promise<SavedState> {
  const [, content, sum] = /^#lab=2\.([\w.-]*)\.([\w-]+)$/.exec(hash) ?? [];
  if (content === undefined || checkSum(content) !== sum)
    throw new Error('This link was cut or changed on its way. Ask for it again; nothing here has changed.');
  try {
    return parseSavedState(await longStateOf(content));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`This link is of another version of the lab (${reason}). Nothing here has changed.`);
  }
}

function longStateOf(content: string): Promise<unknown> {
  const [text = '', packed = ''] = content.split('.');
  const bytes = fromBase64Url(text.slice(1));
  const plain = jsonOf(text.startsWith('z') ? inflated(bytes) : bytes);
  return lengthen({ plain: plain as ShortState['plain'], bytes: fromBase64Url(packed) });
}

const jsonOf = (bytes: Uint8Array): unknown => JSON.parse(strFromU8(bytes));

/** Inflates bytes. Throws if the result is too large. */
function inflated(bytes: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const inflate = new Inflate((piece) => {
    length += piece.length;
    if (length > mostBytes) throw new Error('it unfolds to too much');
    pieces.push(piece);
  });
  for (let at = 0; at < bytes.length; at += 4096)
    inflate.push(bytes.subarray(at, at + 4096), at + 4096 >= bytes.length);
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** FNV-1a with 32 bits: detects missing characters. Source: Fowler, Noll & Vo. */
function checkSum(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36);
}

function toBase64Url(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
}
