/** What became of notices, from the checkpoints in the store: also where another process sends. */
import type { BudgetDelivery } from '@pi-ledger/contract/answers';
import type { Checkpoints } from '../../log/checkpoints.ts';
import { joinNames } from './names.ts';
import { type Queue, readQueue } from './queue.ts';
import type { Target } from './target.ts';

/** Newest first. Rejects when the store fails. */
export async function readDeliveries(
  targets: readonly Target[],
  checkpoints: Pick<Checkpoints, 'read'>,
): Promise<readonly BudgetDelivery[]> {
  const found = targets.map(async (target) => {
    const checkpoint = await checkpoints.read(target.name);
    return toRows(target, readQueue(checkpoint?.state ?? null));
  });
  const rows = (await Promise.all(found)).flat();
  return rows.toSorted((left, right) => Date.parse(right.since) - Date.parse(left.since));
}

/** A sentence for each place that did not get all: which, and why. Rejects as above. */
export async function undelivered(
  targets: readonly Target[],
  checkpoints: Pick<Checkpoints, 'read'>,
): Promise<readonly string[]> {
  const rows = await readDeliveries(targets, checkpoints);
  const lost = rows.filter(({ status }) => status === 'refused' || status === 'given up');
  return [...Map.groupBy(lost, ({ to }) => to)].map(
    ([to, all]) =>
      `Notices of budgets did not arrive at ${to}: ${joinNames(all)}. ` +
      `The last reason: ${all[0]?.detail ?? 'not sent'}`,
  );
}

function toRows(
  { shown, format }: Target,
  { waiting, done, lost, notBeforeMs }: Queue,
): BudgetDelivery[] {
  const to = { to: shown, format };
  const ends = [...lost, ...done.map((each) => ({ ...each, notices: 1 }))];
  return [
    ...waiting.map(({ id, budget, state, sinceMs, attempts, detail, notBeforeMs: own = 0 }) => {
      const nextMs = Math.max(notBeforeMs, own);
      return {
        ...{ ...to, id, budget, state, status: 'waiting' as const, since: toTime(sinceMs) },
        ...{ endedAt: null, nextAt: nextMs === 0 ? null : toTime(nextMs) },
        ...{ attempts, detail, notices: 1 },
      };
    }),
    ...ends.map(({ id, budget, state, status, sinceMs, endedMs, attempts, detail, notices }) => ({
      ...{ ...to, id, budget, state, status, since: toTime(sinceMs), endedAt: toTime(endedMs) },
      ...{ nextAt: null, attempts, detail, notices },
    })),
  ];
}

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}
