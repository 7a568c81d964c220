/** How far an import of session files is. */
import type { Standing } from '@pi-ledger/contract/answers';

export type Importing = NonNullable<Standing['importing']>;

/** Returns the share that has been read of the bytes to be read, 0 to 1. */
export function shareRead({ bytes, bytesToRead }: Importing): number {
  return bytesToRead === 0 ? 1 : Math.min(1, bytes / bytesToRead);
}

/** Returns null when it is too early to say, or it does not run. */
export function paceOf(importing: Importing): { bytesPerS: number; leftMs: number } | null {
  const { bytes, bytesToRead, startedAt, at, isRunning } = importing;
  const goneMs = Date.parse(at) - Date.parse(startedAt);
  if (!isRunning || goneMs < tooEarlyMs || bytes === 0) return null;
  return {
    bytesPerS: (bytes * 1_000) / goneMs,
    leftMs: (Math.max(0, bytesToRead - bytes) * goneMs) / bytes,
  };
}

const tooEarlyMs = 1_000;

/** `1.27 GB`, `57 MB` */
export function formatBytes(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(2)} GB`;
  return bytes >= 1e6 ? `${Math.round(bytes / 1e6)} MB` : `${Math.ceil(bytes / 1e3)} kB`;
}
