/** What became of notices, from the checkpoints in the store: also where another process sends. */
import type { BudgetDelivery } from '@pi-ledger/contract/answers';
import type { Checkpoints } from '../../log/checkpoints.ts';
import { type Queue, readQueue } from './queue.ts';
import type { Target } from './target.ts';

/** Newest first. Rejects when the store fails. */
export async function readDeliveries(
  targets: readonly Target[],
  checkpoints: Pick<Checkpoints, 'read'>,
): Promise<readonly BudgetDelivery[]> {
  const found = targets.map(async (target) => {
    const checkpoint = await checkpoints.read(target.name);
    return rowsOf(target, readQueue(checkpoint?.state ?? null));
  });
  const rows = (await Promise.all(found)).flat();
  return rows.toSorted((left, right) => Date.parse(right.since) - Date.parse(left.since));
}

function rowsOf(
  { shown, format }: Target,
  { waiting, done, notBeforeMs }: Queue,
): BudgetDelivery[] {
  const to = { to: shown, format };
  return [
    ...waiting.map(({ id, budget, state, sinceMs, attempts, detail }) => ({
      ...{ ...to, id, budget, state, status: 'waiting' as const, since: timeOf(sinceMs) },
      ...{ endedAt: null, nextAt: notBeforeMs === 0 ? null : timeOf(notBeforeMs) },
      ...{ attempts, detail },
    })),
    ...done.map(({ id, budget, state, status, sinceMs, endedMs, attempts, detail }) => ({
      ...{ ...to, id, budget, state, status, since: timeOf(sinceMs), endedAt: timeOf(endedMs) },
      ...{ nextAt: null, attempts, detail },
    })),
  ];
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
