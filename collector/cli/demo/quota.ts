/** What subscriptions used of their windows, as a provider tells it with its responses. */
import type { EventData } from '@pi-ledger/contract';

type RateLimit = EventData<'pi.response.received.v1'>['limits'][number];

export interface Quota {
  /** Takes the spend in, at list price. */
  use(who: string, atMs: number, nanoUsd: number): void;
  /** The limits that the provider tells at this time. */
  told(who: string, atMs: number): RateLimit[];
}

const hourMs = 3_600_000;
const windows = [
  { name: 'unified-5h', ms: 5 * hourMs, limitNanoUsd: 6e9 },
  { name: 'unified-7d', ms: 168 * hourMs, limitNanoUsd: 36e9 },
] as const;
const usedMost = 0.99;
const warnsFrom = 0.8;

export function createQuota(): Quota {
  /** By user and window. */
  const used = new Map<string, number>();
  return {
    use(who, atMs, nanoUsd) {
      for (const { name, ms } of windows) {
        const key = keyOf(who, name, ms, atMs);
        used.set(key, (used.get(key) ?? 0) + nanoUsd);
      }
    },
    told: (who, atMs) =>
      windows.map(({ name, ms, limitNanoUsd }) => {
        const share = (used.get(keyOf(who, name, ms, atMs)) ?? 0) / limitNanoUsd;
        const utilization = Math.min(usedMost, Math.round(share * 100) / 100);
        return {
          window: name,
          limit: null,
          remaining: null,
          utilization,
          resetAtMs: (Math.floor(atMs / ms) + 1) * ms,
          status: utilization >= warnsFrom ? ('allowed_warning' as const) : ('allowed' as const),
        };
      }),
  };
}

function keyOf(who: string, name: string, ms: number, atMs: number): string {
  return `${who}/${name}/${Math.floor(atMs / ms)}`;
}
