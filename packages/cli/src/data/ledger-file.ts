import { HalfspaceError } from 'halfspace';
import { checkLedger, type LedgerWriter } from 'halfspace/ledger';
import { openBytes, type WholeFile } from 'halfspace/node';

/**
 * Reads a new ledger back and checks it before it gets its name. A ledger in a pipe cannot be read back.
 *
 * @throws HalfspaceError `ledger-invalid`.
 */
export async function checkLedgerFile(file: WholeFile, writer: LedgerWriter): Promise<void> {
  if (file.partial === null) return;
  let bytes = 0;
  const source = await openBytes(file.partial, {
    onRead: (count) => {
      bytes += count;
    },
  });
  await checkLedger(source);
  if (bytes !== writer.bytes)
    throw new HalfspaceError('ledger-invalid', `expected ${writer.bytes} bytes of a ledger; got ${bytes}`, {
      source: file.partial,
    });
}
