/** Saves a file through the browser's download. */
export function download(name: string, content: Blob | string, type = 'text/plain'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type }) : content;
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser needs the URL until it has begun to read.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Returns a file name without characters that any system refuses. */
export function fileStem(name: string): string {
  const plain = name.replace(/\.[^.]*$/, '').replace(/[^\p{L}\p{N}_-]+/gu, '-');
  return plain.replace(/^-+|-+$/g, '').slice(0, 60) || 'halfspace';
}
