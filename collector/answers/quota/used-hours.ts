/**
 * What each user used of one provider's plan, by hour, and by minute where a window begins in the
 * middle of an hour.
 *
 * What counts is spend that is covered by a subscription. Records that nobody knows the billing of
 * are counted beside it, and metered ones are no use of a plan.
 */

import { type SpendMeasure, tokenMeasures } from '@pi-ledger/contract/spend-shape';
import { dayMs } from '@pi-ledger/core/time/units';
import { usage } from '../../projections/usage.ts';
import type { Condition, SumRow } from '../../views/views.ts';
import { cellsInHours } from '../spend/cells-in-hours.ts';
import type { UsageViews } from '../views/usage-views.ts';
import type { QuotaUnit } from './limits.ts';

export interface Used {
  readonly tokens: bigint;
  /** Calls to a model. */
  readonly messages: bigint;
  readonly nanoUsd: bigint;
  readonly unpricedRecords: bigint;
  readonly unreportedRecords: bigint;
  readonly unknownBillingRecords: bigint;
}

export interface UsedAt extends Used {
  /** The start of the hour, or of the minute. */
  readonly atMs: number;
}

export interface UsedHours {
  /** By user; sorted by time. */
  readonly byUser: ReadonlyMap<string, readonly UsedAt[]>;
  /** The minutes of one hour, sorted. Throws `QuotaTooLarge`. */
  minutesOf(user: string, hourMs: number): Promise<readonly UsedAt[]>;
}

/** More sessions have spend in one hour than can be read for an answer. */
export class QuotaTooLarge extends Error {
  override readonly name = 'QuotaTooLarge';
}

const documentsMax = 2_000;

/** `limits`: what the caller may see. */
export async function readUsedHours(
  asked: UsageViews,
  limits: readonly Condition[],
  { provider, sinceMs, nowMs }: { provider: string; sinceMs: number; nowMs: number },
): Promise<UsedHours> {
  const ofProvider: Condition[] = [
    ...limits,
    { column: 'provider', is: 'in', values: [provider] },
    { column: 'billing', is: 'in', values: ['subscription', 'unknown'] },
  ];
  const rows = await asked.views.sum(asked.sessions, usage, {
    by: ['user', 'hour', 'billing'],
    where: [
      ...ofProvider,
      // The index is by the spenders' local days.
      { column: 'day', is: 'from', values: [isoOf(sinceMs - 2 * dayMs).slice(0, 10)] },
      { column: 'hour', is: 'from', values: [isoOf(sinceMs).slice(0, 13)] },
      { column: 'hour', is: 'before', values: [isoOf(nowMs + 3_600_000).slice(0, 13)] },
    ],
  });
  const read = new Map<string, Promise<readonly UsedAt[]>>();
  async function readMinutes(user: string, hour: string): Promise<readonly UsedAt[]> {
    const where: Condition[] = [...ofProvider, { column: 'user', is: 'in', values: [user] }];
    const found = await cellsInHours(asked, { hours: [hour], where, documentsMax });
    if (found.is === 'tooMany') throw new QuotaTooLarge();
    return summed(found.cells, ({ minute }) => minute * 60_000);
  }
  return {
    byUser: new Map(
      [...Map.groupBy(rows, ({ dimensions }) => dimensions.user ?? '')].map(([user, ofUser]) => [
        user,
        summed(ofUser, ({ dimensions }) => Date.parse(`${dimensions.hour}:00:00Z`)),
      ]),
    ),
    minutesOf(user, hourMs) {
      const key = JSON.stringify([user, hourMs]);
      const minutes = read.get(key) ?? readMinutes(user, isoOf(hourMs).slice(0, 13));
      read.set(key, minutes);
      return minutes;
    },
  };
}

export function sumOf(all: readonly Used[]): Used {
  return all.reduce(
    (sum, each) => ({
      tokens: sum.tokens + each.tokens,
      messages: sum.messages + each.messages,
      nanoUsd: sum.nanoUsd + each.nanoUsd,
      unpricedRecords: sum.unpricedRecords + each.unpricedRecords,
      unreportedRecords: sum.unreportedRecords + each.unreportedRecords,
      unknownBillingRecords: sum.unknownBillingRecords + each.unknownBillingRecords,
    }),
    nothing,
  );
}

/** In nano-dollars for dollars. */
export function amountIn({ tokens, messages, nanoUsd }: Used, unit: QuotaUnit): bigint {
  if (unit === 'tokens') return tokens;
  return unit === 'messages' ? messages : nanoUsd;
}

const nothing: Used = {
  tokens: 0n,
  messages: 0n,
  nanoUsd: 0n,
  unpricedRecords: 0n,
  unreportedRecords: 0n,
  unknownBillingRecords: 0n,
};

function summed<Row extends SumRow>(rows: readonly Row[], at: (row: Row) => number): UsedAt[] {
  const byTime = [...Map.groupBy(rows, at)].map(([atMs, all]) => ({
    atMs,
    ...sumOf(all.map(usedOf)),
  }));
  return byTime.toSorted((left, right) => left.atMs - right.atMs);
}

function usedOf({ dimensions, measures }: SumRow): Used {
  const of = (name: SpendMeasure): bigint => measures[name] ?? 0n;
  if (dimensions.billing !== 'subscription')
    return { ...nothing, unknownBillingRecords: of('records') };
  return {
    tokens: tokenMeasures.reduce((sum, name) => sum + of(name), 0n),
    messages: of('records'),
    nanoUsd: of('nanoUsd'),
    unpricedRecords: of('unpricedRecords'),
    unreportedRecords: of('unreportedRecords'),
    unknownBillingRecords: 0n,
  };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
