import { setTimeout as sleep } from 'node:timers/promises';
import { findCollector, type WhereToAsk } from '../client/running-collector.ts';

const waitMsDefault = 60_000;
const everyMs = 100;

/** Where this home's collector answers; null if none does in time. */
export async function collectorUrl(
  where: WhereToAsk,
  waitMs: number = waitMsDefault,
): Promise<string | null> {
  const endMs = performance.now() + waitMs;
  for (;;) {
    const found = await findCollector(where);
    if (found !== null) return found.url;
    if (performance.now() >= endMs) return null;
    await sleep(everyMs);
  }
}

/** Whether it has stopped answering in time. */
export async function hasStopped(
  where: WhereToAsk,
  waitMs: number = waitMsDefault,
): Promise<boolean> {
  const endMs = performance.now() + waitMs;
  while ((await findCollector(where)) !== null) {
    if (performance.now() >= endMs) return false;
    await sleep(everyMs);
  }
  return true;
}
