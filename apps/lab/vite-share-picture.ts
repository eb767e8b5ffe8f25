import { deflateSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { separableClouds } from './src/data/generate.ts';
import { themes } from './src/picture/theme.ts';

/** Size that services which show links ask for. */
const [width, height] = [1200, 630];
const unit = 82;
/** Pixels around the middle of a point in which all of it is. */
const reach = 20;
const [margin, centre] = [0.8, [1, 1.8]] as const;

/**
 * Writes `share.png`, the picture that chats and social networks show beside a link to the page: two clouds, the widest line between them and
 * its margin. They want whole addresses: with `HALFSPACE_LAB_URL` in the environment of the build the page tells that of the picture and its
 * own; without it the address stands as it is seen from the page.
 */
export function sharePicture(): Plugin {
  const address = process.env.HALFSPACE_LAB_URL ?? '';
  return {
    name: 'halfspace-share-picture',
    apply: 'build',
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { property: 'og:image', content: `${address === '' ? './' : address.replace(/\/*$/, '/')}share.png` },
      },
      { tag: 'meta', attrs: { property: 'og:image:width', content: String(width) } },
      { tag: 'meta', attrs: { property: 'og:image:height', content: String(height) } },
      { tag: 'meta', attrs: { name: 'twitter:card', content: 'summary_large_image' } },
      ...(address === '' ? [] : [{ tag: 'meta', attrs: { property: 'og:url', content: address } }]),
    ],
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'share.png', source: drawSharePicture() });
    },
  };
}

/** Draws the picture as PNG. It needs no fonts, so that every machine makes the same bytes of pixels. */
export function drawSharePicture(): Uint8Array {
  const colours = themes.light;
  const pixels = new Uint8Array(width * height * 3).fill(255);
  const across = (x: number, y: number) => 0.6 * (x - centre[0]) + 0.8 * (y - centre[1]);
  const place = (column: number, row: number): [number, number] => [
    centre[0] + (column + 0.5 - width / 2) / unit,
    centre[1] - (row + 0.5 - height / 2) / unit,
  ];
  /** Paints where the share that a shape covers of a pixel is above 0. */
  const paint = (colour: string, share: (x: number, y: number) => number, around?: readonly [number, number]) => {
    const rgb = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
    // Points are small: only pixels near them are looked at.
    const [left, top] = around === undefined ? [0, 0] : around.map((at) => Math.max(0, Math.floor(at) - reach));
    const right = around === undefined ? width : Math.min(width, Math.ceil(around[0]) + reach);
    const bottom = around === undefined ? height : Math.min(height, Math.ceil(around[1]) + reach);
    for (let row = top!; row < bottom; row++)
      for (let column = left!; column < right; column++) {
        const covered = Math.min(1, Math.max(0, share(...place(column, row))));
        if (covered === 0) continue;
        for (let k = 0; k < 3; k++) {
          const at = 3 * (row * width + column) + k;
          pixels[at] = Math.round(pixels[at]! * (1 - covered) + rgb[k]! * covered);
        }
      }
  };
  paint(colours['positive-region'], (x, y) => across(x, y) * unit + 0.5);
  paint(colours['negative-region'], (x, y) => 0.5 - across(x, y) * unit);
  for (const level of [margin, -margin])
    paint(colours.ink, (x, y) => {
      const along = (0.6 * (y - centre[1]) - 0.8 * (x - centre[0])) * unit;
      const dash = ((along % 26) + 26) % 26 < 15;
      return dash ? 1.5 - Math.abs(across(x, y) - level) * unit : 0;
    });
  paint(colours.ink, (x, y) => 4 - Math.abs(across(x, y)) * unit);
  for (const { x: px, y: py, label } of separableClouds({ margin, count: 36, seed: 4 })) {
    const shape =
      label > 0
        ? (x: number, y: number) => Math.hypot(x - px, y - py) * unit
        : (x: number, y: number) => 1.13 * Math.max(Math.abs(x - px), Math.abs(y - py)) * unit;
    const around = [width / 2 + (px - centre[0]) * unit, height / 2 - (py - centre[1]) * unit] as const;
    paint('#ffffff', (x, y) => 16 - shape(x, y), around);
    paint(label > 0 ? colours.positive : colours.negative, (x, y) => 13.5 - shape(x, y), around);
  }
  return png(pixels);
}

/** Writes pixels as a PNG file of 8 bits a colour. Source: W3C, Portable Network Graphics, sections 5 and 9. */
function png(pixels: Uint8Array): Uint8Array {
  const rows = new Uint8Array(height * (1 + 3 * width));
  // Each row has a filter in front; 0: none.
  for (let row = 0; row < height; row++)
    rows.set(pixels.subarray(3 * width * row, 3 * width * (row + 1)), row * (1 + 3 * width) + 1);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(checkSum(body));
  return Buffer.concat([length, body, sum]);
}

/** CRC-32 as PNG has it. Source: annex D of the same. */
function checkSum(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let k = 0; k < 8; k++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}
