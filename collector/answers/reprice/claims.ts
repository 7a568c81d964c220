/**
 * Lists what a session's document counts of subagents' claims and of copies that lost their price.
 * Pure.
 */
import { tokenCounts } from '@pi-ledger/contract/spend-shape';
import type { Amount } from '../../projections/amount.ts';
import type { Claim } from '../../projections/session/claim.ts';
import { claimLineName } from '../../projections/session/claim-group.ts';
import type { SessionState } from '../../projections/session/document.ts';
import type { LineName } from '../../projections/session/line-name.ts';
import { unpricedVariant } from '../../projections/session/unpriced.ts';
import { namedAmounts } from '../../projections/spend-amounts.ts';
import type { Tokens } from './groups.ts';

export interface RemainingClaim {
  readonly minute: number;
  readonly name: LineName;
  readonly tokens: Tokens;
  /** More than one only in a sum over very many claims. */
  readonly records: number;
  readonly unpricedRecords: number;
  readonly recordedNanoUsd: bigint;
  /** True for a single answer of the subagent, false for a sum of several. */
  readonly isOneAnswer: boolean;
}

/** Leaves out claims with nothing left to count. */
export function claimsOf({ claims, spending }: SessionState): RemainingClaim[] {
  const shared = claims.isPooled ? [claims.pool] : [...claims.keys.values()];
  const answers = [...claims.responses.values()].flatMap((response) =>
    response.is === 'claimed' ? [response.claim] : [],
  );
  return [
    ...shared.flatMap((each) => each.claims).flatMap((claim) => remainderOf(claim, false)),
    ...answers.flatMap((claim) => remainderOf(claim, true)),
    ...[...spending.unpriced.values()].flatMap((copies) =>
      toRemaining(copies.minute, { ...copies, ...unpricedVariant }, copies.rest, false),
    ),
  ];
}

function remainderOf(claim: Claim, isOneAnswer: boolean): RemainingClaim[] {
  const minute = Math.floor(claim.atMs / 60_000);
  return toRemaining(minute, claimLineName(claim), claim.rest, isOneAnswer);
}

function toRemaining(
  minute: number,
  name: LineName,
  rest: readonly Amount[],
  isOneAnswer: boolean,
): RemainingClaim[] {
  const left = namedAmounts(rest);
  const { reasoningTokens, nanoUsd: recordedNanoUsd } = left;
  const records = Number(left.records);
  if (records === 0) return [];
  return [
    {
      minute,
      name,
      tokens: { ...tokenCounts(left), reasoningTokens },
      records,
      unpricedRecords: Number(left.unpricedRecords),
      recordedNanoUsd,
      isOneAnswer,
    },
  ];
}
