/**
 * The lease of a collector that reads this spool from disk. While it is fresh, a producer may end
 * without flushing: the collector adopts what is left as soon as the process is gone.
 */
import { rename, rm, writeFile } from 'node:fs/promises';
import { readRegularFile } from '../machine/regular-file.ts';
import { makeDirectory } from './directory.ts';
import { fileMode, leaseFile } from './layout.ts';
import { canSee, judgeLiveness, systemObserver } from './liveness.ts';
import { decodeOwner, encodeOwner, type SpoolOwner } from './owner.ts';

/** How often the collector writes its lease, and how long producers trust it. */
export const leaseRefreshMs = 5_000;
export const leaseFreshMs = 15_000;

const leaseBounds = { bytesMax: 16 * 1024, refuseLinks: true };

/**
 * Written every `leaseRefreshMs`. Contract: atomic (a reader sees the old lease or the new one);
 * rejects if it cannot be written.
 */
export async function writeLease(
  spoolDirectory: string,
  lease: { owner: SpoolOwner; url: string; refreshedAtMs: number },
): Promise<void> {
  const owner = encodeOwner(lease.owner);
  const draft = `${leaseFile(spoolDirectory)}.${owner}`;
  makeDirectory(spoolDirectory);
  await writeFile(draft, JSON.stringify({ ...lease, owner }), { mode: fileMode });
  await rename(draft, leaseFile(spoolDirectory));
}

/** Called when the collector stops. Leaves the lease of another collector alone. */
export async function removeLease(spoolDirectory: string, owner: SpoolOwner): Promise<void> {
  if (readLease(spoolDirectory)?.owner === encodeOwner(owner))
    await rm(leaseFile(spoolDirectory), { force: true });
}

/**
 * Whether a running collector reads this spool and will notice the end of `self`: it is alive, it
 * has refreshed its lease recently, and it can see this process (not from another container or
 * machine, where it would have to wait for a day of silence). Contract: never throws; reads one
 * small file.
 */
export function isReaderFresh(spoolDirectory: string, nowMs: number, self: SpoolOwner): boolean {
  const reader = decodeOwner(freshReader(spoolDirectory, nowMs) ?? '');
  return (
    reader !== null &&
    canSee(reader, self) &&
    judgeLiveness(reader, systemObserver(self)) !== 'dead'
  );
}

/**
 * The name of the collector that recently refreshed its lease, wherever it runs; null without one.
 * Contract: never throws; reads one small file.
 */
export function freshReader(spoolDirectory: string, nowMs: number): string | null {
  return freshLease(spoolDirectory, nowMs)?.owner ?? null;
}

/**
 * Where that collector listens; it still has to prove its identity there. Contract: never throws;
 * reads one small file.
 */
export function readerUrl(spoolDirectory: string, nowMs: number): string | null {
  return freshLease(spoolDirectory, nowMs)?.url ?? null;
}

function freshLease(spoolDirectory: string, nowMs: number): Lease | null {
  const lease = readLease(spoolDirectory);
  // A clock that was set back would make an old lease look fresh for a long time, hence the
  // absolute difference.
  return lease === null || Math.abs(nowMs - lease.refreshedAtMs) > leaseFreshMs ? null : lease;
}

interface Lease {
  readonly owner: string;
  readonly url: string | null;
  readonly refreshedAtMs: number;
}

function readLease(spoolDirectory: string): Lease | null {
  try {
    const { owner, url, refreshedAtMs } = JSON.parse(
      readRegularFile(leaseFile(spoolDirectory), leaseBounds),
    ) as Record<string, unknown>;
    if (typeof owner !== 'string' || typeof refreshedAtMs !== 'number') return null;
    return { owner, url: typeof url === 'string' ? url : null, refreshedAtMs };
  } catch {
    return null; // no collector reads this spool
  }
}
