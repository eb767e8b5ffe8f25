/** The smallest module: its magic number and version. */
const emptyModule = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

/** Returns a note if a content policy, or an edge runtime, refuses to compile WebAssembly; else null. */
export function refusedNote(): string | null {
  if (!('WebAssembly' in globalThis)) return null;
  try {
    new WebAssembly.Module(emptyModule);
    return null;
  } catch {
    return "the content policy refuses WebAssembly, so slower kernels in JavaScript ran, with the same bits (script-src 'wasm-unsafe-eval' allows it)";
  }
}
