/**
 * The form of a ledger file.
 *
 *     "halfspace-ledger 1\n"
 *     blocks: kind (1 byte), length of what follows (4 bytes, little-endian), that many bytes
 *
 * Kinds: `H` what the run is about to do, once and first (JSON); `U` updates and ends of passes (update-block.ts); `R` all updates before
 * count no more (empty); `E` what the run did, once and last (JSON). All but `R` are compressed with gzip, each on its own, whose checksums
 * tell damaged blocks; so a file that is cut can be read up to its last whole block.
 */
export const ledgerMagic = 'halfspace-ledger 1\n';

export const blockKind = { opening: 0x48, updates: 0x55, restart: 0x52, closing: 0x45 } as const;

/** Number of bytes before the contents of a block. */
export const blockHead = 5;

/** Largest number of updates in a block. */
export const blockUpdates = 1 << 16;

/** Largest size of a block, compressed or not: a damaged length takes no more memory. */
export const largestBlock = 1 << 28;

/** Text at the beginning of a file, before the version. */
export const ledgerName = 'halfspace-ledger ';
