/**
 * What a full window buys: what this ledger counted in it until the provider last spoke, divided by
 * the share that was gone then. An estimate: the share comes rounded, and what other programs used
 * of the plan is in the share alone, so a window buys rather more than this.
 */
import type { QuotaWindow } from '@pi-ledger/contract/answers';
import type { Condition } from '../../views/views.ts';
import { exactCount } from '../spend/exact-count.ts';
import type { UsageViews } from '../views/usage-views.ts';
import { type Uses, usedSince } from './open-window.ts';
import { QuotaTooLarge, readUsedHours, sumOf, type Used } from './used-hours.ts';

/** Below this, rounding of the share is most of the figure. */
const shareMin = 0.05;

/** `where`: what the caller may see. Part of a person's use divided by all of it says nothing. */
export async function withWorth(
  asked: UsageViews,
  { where, nowMs }: { readonly where: readonly Condition[]; readonly nowMs: number },
  rows: readonly QuotaWindow[],
): Promise<readonly QuotaWindow[]> {
  const seesAll = where.every(({ column }) => column === 'user');
  const told = seesAll ? rows.flatMap((row) => toldOf(row) ?? []) : [];
  const worths = new Map<QuotaWindow, QuotaWindow['worth']>();
  for (const [provider, ofProvider] of Map.groupBy(told, (each) => each.provider)) {
    const sinceMs = Math.min(...ofProvider.map(({ startMs }) => startMs));
    const { byUser, minutesOf } = await readUsedHours(asked, where, { provider, sinceMs, nowMs });
    for (const each of ofProvider) {
      const hours = byUser.get(each.user) ?? [];
      const uses = {
        knownFromMs: sinceMs,
        hours,
        minutesOf: (at: number) => minutesOf(each.user, at),
      };
      worths.set(each.row, await worthOf(uses, each));
    }
  }
  return rows.map((row) => ({ ...row, worth: worths.get(row) ?? null }));
}

interface Told {
  readonly row: QuotaWindow;
  readonly provider: string;
  readonly user: string;
  readonly share: number;
  readonly startMs: number;
  readonly toldMs: number;
}

function toldOf(row: QuotaWindow): Told | null {
  const { source, provider, usedShare: share, startsAt, toldAt } = row;
  if (source !== 'provider' || provider === null || startsAt === null || toldAt === null)
    return null;
  if (share === null || share < shareMin) return null;
  const [startMs, toldMs] = [Date.parse(startsAt), Date.parse(toldAt)];
  return { row, provider, user: row.user ?? '', share, startMs, toldMs };
}

async function worthOf(
  uses: Uses,
  { share, startMs, toldMs }: Told,
): Promise<QuotaWindow['worth']> {
  try {
    const used = sumOf(await usedSince(uses, startMs));
    const later = sumOf(await usedSince(uses, toldMs + 60_000));
    return worthAt(difference(used, later), share);
  } catch (error) {
    if (error instanceof QuotaTooLarge) return null;
    throw error;
  }
}

type Counted = Pick<Used, 'tokens' | 'nanoUsd' | 'unpricedRecords'>;

function difference(all: Used, later: Used): Counted {
  return {
    tokens: all.tokens - later.tokens,
    nanoUsd: all.nanoUsd - later.nanoUsd,
    unpricedRecords: all.unpricedRecords - later.unpricedRecords,
  };
}

function worthAt({ tokens, nanoUsd, unpricedRecords }: Counted, share: number) {
  if (tokens <= 0n) return null;
  const whole = (part: bigint): bigint => BigInt(Math.round(Number(part) / share));
  return {
    tokens: exactCount(whole(tokens)),
    listPriceNanoUsd: unpricedRecords > 0n ? null : String(whole(nanoUsd)),
  };
}
