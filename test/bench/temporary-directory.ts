import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gone when `use` has ended, or this process. On the disk that TMPDIR names. */
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
