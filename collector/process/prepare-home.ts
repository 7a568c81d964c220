/** PI_LEDGER_HOME at the start of a collector: there with its key, or why not, in words. */
import { fileReason } from '@pi-ledger/core/machine/file-reason';
import { makeFolder } from '@pi-ledger/core/machine/make-folder';
import { ensureHomeKey } from '@pi-ledger/core/proof/home-key';
import { LedgerError } from '../errors.ts';

/**
 * Contract: rejects with `store_unavailable` where the file system refuses. What else keeps the key
 * away goes to `onError`: the collector works without it, with tokens.
 */
export async function prepareHome(home: string, onError: (error: unknown) => void): Promise<void> {
  await intoHome(home, async () => {
    makeFolder(home);
    await ensureHomeKey(home).catch((error: unknown) => {
      if (fileReason(error) !== undefined) throw error;
      onError(error);
    });
  });
}

/** The same result; an error of the file system says what to do. */
export async function intoHome<Result>(
  home: string,
  write: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    const reason = fileReason(error);
    if (reason === undefined) throw error;
    const { code, path, dest } = error as NodeJS.ErrnoException & { readonly dest?: string };
    const at = dest ?? path ?? home;
    if (code === 'EISDIR')
      throw new LedgerError('store_unavailable', {
        message: `${at} cannot be used: ${reason}. Move it away; the collector writes one there.`,
        cause: error,
      });
    const remedy =
      code === 'ENOSPC'
        ? 'Free some space and start again; what was acknowledged is safe.'
        : 'Give this user the right to write there, or set PI_LEDGER_HOME to another folder.';
    const message = `Nothing can be written into ${home}: ${reason}. ${remedy}`;
    throw new LedgerError('store_unavailable', { message, cause: error });
  }
}
