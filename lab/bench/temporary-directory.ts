import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Removed when `use` or this process has ended. On the disk of TMPDIR. */
export async function withTemporaryDirectory<Result>(
  use: (directory: string) => Promise<Result>,
): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'pi-ledger-bench-'));
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', remove);
  try {
    return await use(directory);
  } finally {
    process.off('exit', remove);
    remove();
  }
}
