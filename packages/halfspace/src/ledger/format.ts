/**
 * The format of a ledger file.
 *
 *     "halfspace-ledger 1\n"
 *     blocks: kind (1 byte), length of the contents (4 bytes, little-endian), contents
 *
 * Kinds: `H` opening, the plan of the run, first and once (JSON); `U` updates and ends of passes (update-block.ts); `R`
 * restart, discards all earlier updates (empty); `E` closing, the result of the run, last and once (JSON). All but `R`
 * are in the container of gzip, block by block, stored as they are; its checksums detect damage. So a truncated file
 * can be read up to its last whole block. In `E`, a newline and a digest of all contents (content-digest.ts) follow the
 * JSON.
 */
export const ledgerMagic = 'halfspace-ledger 1\n';

export const blockKind = { opening: 0x48, updates: 0x55, restart: 0x52, closing: 0x45 } as const;

/** Size of a block's header in bytes. */
export const blockHead = 5;

/** Largest number of updates in a block. */
export const blockUpdates = 1 << 16;

/** Largest size of a block in bytes, compressed or not. It bounds the memory that a damaged length can cause. */
export const largestBlock = 1 << 28;

/** Text at the beginning of a file, before the version. */
export const ledgerName = 'halfspace-ledger ';
