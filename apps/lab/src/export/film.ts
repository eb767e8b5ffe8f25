import { paint } from '../picture/canvas.ts';
import type { Picture } from '../picture/picture.ts';
import type { ThemeName } from '../picture/theme.ts';
import type { FilmFrame } from './film-frames.ts';
import { canvasOf } from './png.ts';

/** The input of a film of a run. */
interface Film {
  /** In their order. */
  readonly frames: readonly FilmFrame[];
  readonly draw: (frame: FilmFrame) => Picture | Promise<Picture>;
  readonly theme: ThemeName;
  readonly onProgress?: (share: number) => void;
  /** Cancels the film, which then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Makes an animated GIF that repeats. */
export async function filmToGif({ frames, draw, theme, onProgress, signal }: Film): Promise<Blob> {
  const { GIFEncoder, quantize, applyPalette } = await import('gifenc');
  const gif = GIFEncoder();
  let last: { readonly image: ImageData; duration: number } | null = null;
  const write = () => {
    if (last === null) return;
    const { image, duration } = last;
    const palette = quantize(image.data, 128);
    gif.writeFrame(applyPalette(image.data, palette), image.width, image.height, {
      palette,
      delay: duration,
      repeat: 0,
    });
  };
  for (const [k, frame] of frames.entries()) {
    signal?.throwIfAborted();
    const canvas = canvasOf(await draw(frame), theme, 1);
    const image = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    // Views without a line do not move between moments.
    if (last !== null && isSame(last.image, image)) last.duration += frame.duration;
    else {
      write();
      last = { image, duration: frame.duration };
    }
    onProgress?.((k + 1) / frames.length);
    // The page must stay responsive.
    await new Promise((resolve) => setTimeout(resolve));
  }
  write();
  gif.finish();
  return new Blob([gif.bytes() as Uint8Array<ArrayBuffer>], { type: 'image/gif' });
}

function isSame(one: ImageData, other: ImageData): boolean {
  const [a, b] = [new Uint32Array(one.data.buffer), new Uint32Array(other.data.buffer)];
  return a.every((pixel, k) => pixel === b[k]);
}

/** Tests if this browser can record WebM. */
export function recordsWebm(): boolean {
  return typeof MediaRecorder !== 'undefined' && MediaRecorder.isTypeSupported('video/webm');
}

/** Makes a WebM film by recording a canvas in real time. */
export async function filmToWebm({ frames, draw, theme, onProgress, signal }: Film): Promise<Blob> {
  const first = await draw(frames[0]!);
  const canvas = document.createElement('canvas');
  // Video encoders need even sizes.
  canvas.width = 2 * Math.round(first.width / 2);
  canvas.height = 2 * Math.round(first.height / 2);
  const context = canvas.getContext('2d')!;
  paint(context, first, theme);
  const stream = canvas.captureStream(30);
  const recorder = new MediaRecorder(stream, { mimeType: 'video/webm', videoBitsPerSecond: 4_000_000 });
  const pieces: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => {
    if (data.size > 0) pieces.push(data);
  });
  const ended = new Promise((resolve) => recorder.addEventListener('stop', resolve, { once: true }));
  recorder.start();
  try {
    let due = performance.now();
    for (const [k, frame] of frames.entries()) {
      signal?.throwIfAborted();
      paint(context, await draw(frame), theme);
      onProgress?.((k + 1) / frames.length);
      // What drawing took is part of the frame's time.
      due = Math.max(due + frame.duration, performance.now());
      await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
    }
  } finally {
    recorder.stop();
    for (const track of stream.getTracks()) track.stop();
  }
  await ended;
  return new Blob(pieces, { type: 'video/webm' });
}
