/**
 * The lease of a collector that reads this very spool from disk. While it is fresh, nothing is lost or late when a producer ends without
 * flushing: the collector adopts what is left as soon as the process is gone.
 */
import { readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { makeDirectory } from './directory.ts';
import { canSee, judge, systemWitness } from './judgement.ts';
import { fileMode, leaseFile } from './layout.ts';
import { decodeOwner, encodeOwner, type Owner } from './owner.ts';

/** How often the collector writes its lease, and how long producers trust it. */
export const leaseRefreshMs = 5_000;
export const leaseFreshMs = 15_000;

/** Written every `leaseRefreshMs`. Contract: atomic (a reader sees the old lease or the new one); rejects when it can't be written. */
export async function writeLease(spoolDirectory: string, lease: { owner: Owner; url: string; refreshedAtMs: number }): Promise<void> {
  const owner = encodeOwner(lease.owner);
  const draft = `${leaseFile(spoolDirectory)}.${owner}`;
  makeDirectory(spoolDirectory);
  await writeFile(draft, JSON.stringify({ ...lease, owner }), { mode: fileMode });
  await rename(draft, leaseFile(spoolDirectory));
}

/** When the collector stops. Leaves the lease of another collector alone. */
export async function removeLease(spoolDirectory: string, owner: Owner): Promise<void> {
  if (readLease(spoolDirectory)?.owner === encodeOwner(owner)) await rm(leaseFile(spoolDirectory), { force: true });
}

/**
 * Whether a running collector reads this spool and will notice the end of `self`: it lives, it has refreshed its lease lately, and it can
 * see this process (not from another container or machine, where it would have to wait for a day of silence).
 * Contract: never throws; one small file read.
 */
export function isReaderFresh(spoolDirectory: string, nowMs: number, self: Owner): boolean {
  const lease = readLease(spoolDirectory);
  const reader = lease === null ? null : decodeOwner(lease.owner);
  // A clock that was set back would make an old lease look fresh for a long time, hence the absolute distance.
  if (lease === null || reader === null || Math.abs(nowMs - lease.refreshedAtMs) > leaseFreshMs) return false;
  return canSee(reader, self) && judge(reader, systemWitness(self)) !== 'dead';
}

function readLease(spoolDirectory: string): { owner: string; refreshedAtMs: number } | null {
  try {
    const { owner, refreshedAtMs } = JSON.parse(readFileSync(leaseFile(spoolDirectory), 'utf8')) as Record<string, unknown>;
    return typeof owner === 'string' && typeof refreshedAtMs === 'number' ? { owner, refreshedAtMs } : null;
  } catch {
    return null; // no collector reads this spool
  }
}
