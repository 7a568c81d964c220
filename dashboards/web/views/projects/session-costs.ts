/** What sessions cost: one kind of billing at a time. Pure. */
import type { UsageRow } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import { quantileSorted } from 'd3-array';
import { billings } from '../../../../contract/answers/billings.ts';
import { logScale } from '../../charts/scale.ts';
import { usdOf } from '../../format/money.ts';
import { amountOf } from '../../format/spend.ts';

export interface SessionCost {
  readonly session: string;
  readonly user: string | null;
  readonly nanoUsd: bigint;
}

export interface CostsOfPerson {
  readonly user: string | null;
  /** The cheapest first; at least one. */
  readonly costs: readonly SessionCost[];
  /** Dollars. */
  readonly median: number;
}

export interface SessionCosts {
  readonly billing: Billing;
  /** The cheapest first. Those without a known cost are left out. */
  readonly costs: readonly SessionCost[];
  /** Some of them have records without a price. */
  readonly areAtLeast: boolean;
  /** Sessions left out because what they cost is not known. */
  readonly notKnown: number;
  /** Dollars; null: there is no session. */
  readonly median: number | null;
  /** 95 of 100 sessions cost less: interpolated; null: fewer than two sessions. */
  readonly most: number | null;
  /** Whoever has spent most first. */
  readonly people: readonly CostsOfPerson[];
}

/**
 * `rows` are by `user,session`. What was metered counts; where nothing was, what a subscription
 * covers; where nothing is, what nobody said how it is paid.
 */
export function sessionCosts(rows: readonly UsageRow[]): SessionCosts {
  const billing = billings.find((each) => costsOf(rows, each).length > 0) ?? 'metered';
  const costs = costsOf(rows, billing);
  const people = [...Map.groupBy(costs, ({ user }) => user)].map(([user, own]) => ({
    user,
    costs: own,
    median: quantileOf(own, 0.5) ?? 0,
  }));
  return {
    billing,
    costs,
    areAtLeast: areAtLeast(rows, billing),
    notKnown: notKnownIn(rows, billing, costs),
    median: quantileOf(costs, 0.5),
    most: costs.length < 2 ? null : quantileOf(costs, 0.95),
    people: people.toSorted((one, other) => sumOf(other.costs) - sumOf(one.costs)),
  };
}

function costsOf(rows: readonly UsageRow[], billing: Billing): readonly SessionCost[] {
  return rows
    .flatMap((row) => {
      const { nanoUsd } = amountOf(row, billing);
      const { session, user = null } = row;
      const isCost = typeof session === 'string' && nanoUsd !== null && nanoUsd > 0n;
      return isCost ? [{ session, user, nanoUsd }] : [];
    })
    .toSorted((one, other) => Number(one.nanoUsd - other.nanoUsd));
}

function areAtLeast(rows: readonly UsageRow[], billing: Billing): boolean {
  const amounts = rows.map((row) => amountOf(row, billing));
  return amounts.some(({ nanoUsd, mark }) => nanoUsd !== null && mark === 'atLeast');
}

/** Sessions that have no cost of this billing because it has no price, or none at all. */
function notKnownIn(
  rows: readonly UsageRow[],
  billing: Billing,
  costs: readonly SessionCost[],
): number {
  const known = new Set(costs.map(({ session }) => session));
  const silent = rows.filter(
    (row) =>
      typeof row.session === 'string' &&
      !known.has(row.session) &&
      (amountOf(row, billing).nanoUsd === null || isSilent(row)),
  );
  return new Set(silent.map(({ session }) => session)).size;
}

/** Nothing that it spent in any way is known. */
function isSilent(row: UsageRow): boolean {
  const { unpricedRecords, unreportedRecords } = row;
  const isNothing = billings.every((billing) => (amountOf(row, billing).nanoUsd ?? 0n) === 0n);
  return isNothing && unpricedRecords + unreportedRecords > 0;
}

function quantileOf(costs: readonly SessionCost[], share: number): number | null {
  const dollars = costs.map(({ nanoUsd }) => usdOf(nanoUsd));
  return quantileSorted(dollars, share) ?? null;
}

function sumOf(costs: readonly SessionCost[]): number {
  return costs.reduce((sum, { nanoUsd }) => sum + usdOf(nanoUsd), 0);
}

/** A logarithmic scale from a round amount below the cheapest to one above the costliest. */
export function costScale(costs: readonly SessionCost[], width: number) {
  const [first, last] = [costs[0], costs.at(-1)];
  const least = Math.max(0.001, usdOf(first?.nanoUsd ?? 0n));
  const most = Math.max(least * 10, usdOf(last?.nanoUsd ?? 0n));
  return logScale([roundDown(least), roundUp(most)], [0, width]);
}

/** 1 and 5 of each power of ten, thinned to at most five. */
export function costTicks([from = 0, to = 0]: readonly number[]): readonly number[] {
  const powers = Array.from({ length: 9 }, (_, index) => 10 ** (index - 3));
  const within = (ticks: readonly number[]) => ticks.filter((each) => each >= from && each <= to);
  const fine = within(powers.flatMap((power) => [power, 5 * power]));
  if (fine.length <= 5) return fine;
  const tens = within(powers);
  const step = Math.ceil(tens.length / 5);
  return tens.filter((_, index) => index % step === 0);
}

function roundDown(usd: number): number {
  const power = 10 ** Math.floor(Math.log10(usd));
  return usd >= 5 * power ? 5 * power : power;
}

function roundUp(usd: number): number {
  const power = 10 ** Math.floor(Math.log10(usd));
  return usd <= power ? power : usd <= 5 * power ? 5 * power : 10 * power;
}

/** −1 to 1, the same for the same session: dots of one amount stand apart. */
export function scatterOf(session: string): number {
  let hash = 0;
  for (const char of session) hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) | 0;
  return ((hash >>> 0) % 2_001) / 1_000 - 1;
}
