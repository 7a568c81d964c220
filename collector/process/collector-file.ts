/**
 * `collector.json` in PI_LEDGER_HOME: where the running collector listens, for commands, and a
 * token for them that is valid while it runs. Only its owner may read it (0600). After a kill -9 it
 * is stale; a reader must check whether a collector answers at the address.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '@pi-ledger/core/machine/regular-file';
import { homeFiles } from '../config/home-files.ts';

export interface CollectorFile {
  readonly url: string;
  readonly pid: number;
  readonly startedAtMs: number;
  /** Files of older versions have none: it is null then. */
  readonly token: string | null;
  /** The certificate that is served there; null: plain HTTP. */
  readonly certFile: string | null;
}

const fileBytesMax = 64 * 1024;

/** Returns what removes it again, unless another collector has written its own meanwhile. */
export function writeCollectorFile(home: string, content: CollectorFile): () => void {
  const path = join(home, homeFiles.collector);
  const draft = `${path}.${content.pid}`;
  writeFileSync(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  renameSync(draft, path);
  return () => {
    if (readCollectorFile(home)?.pid === content.pid) rmSync(path, { force: true });
  };
}

/** Returns null when there is none, or none that can be read. */
export function readCollectorFile(home: string): CollectorFile | null {
  try {
    const { url, pid, startedAtMs, token, certFile } = JSON.parse(
      readRegularFile(join(home, homeFiles.collector), { bytesMax: fileBytesMax }),
    ) as Record<string, unknown>;
    if (typeof url !== 'string' || typeof pid !== 'number' || typeof startedAtMs !== 'number')
      return null;
    return {
      url,
      pid,
      startedAtMs,
      token: typeof token === 'string' ? token : null,
      certFile: typeof certFile === 'string' ? certFile : null,
    };
  } catch {
    return null; // no collector, or a damaged file: the same for a reader
  }
}
