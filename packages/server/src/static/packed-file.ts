/** A file that was compressed when it was built. The texts are base64. */
export interface PackedFile {
  /** Its path in URLs: `/index.html`. */
  readonly path: string;
  readonly gzip: string;
  readonly brotli: string;
}
