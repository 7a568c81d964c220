/** Takes events in only to count them: what would be imported. */
import type { Ack } from '@pi-ledger/contract';

export interface DryRun {
  accept(values: readonly unknown[], texts: readonly string[]): Promise<Ack>;
  totals(): { readonly sessions: number; readonly records: number; readonly nanoUsd: bigint };
}

/** Beyond so many ids repeats are no longer seen. */
const idsMax = 2_000_000;

interface Countable {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly data: { readonly spend?: { readonly costNanoUsd: number | null } | null };
}

export function createDryRun(): DryRun {
  const ids = new Set<string>();
  const sessions = new Set<string>();
  let records = 0;
  let nanoUsd = 0n;

  function count({ subject, data }: Countable): void {
    sessions.add(subject);
    if (data.spend === undefined || data.spend === null) return;
    records += 1;
    nanoUsd += BigInt(data.spend.costNanoUsd ?? 0);
  }

  return {
    async accept(values) {
      let duplicates = 0;
      for (const event of values as readonly Countable[]) {
        if (ids.has(event.id)) duplicates += 1;
        else count(event);
        if (ids.size < idsMax) ids.add(event.id);
      }
      return { accepted: values.length - duplicates, duplicates, expired: 0, rejected: [] };
    },
    totals: () => ({ sessions: sessions.size, records, nanoUsd }),
  };
}
