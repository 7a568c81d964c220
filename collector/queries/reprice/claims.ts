/**
 * Lists what a session's document counts of subagents' claims and of copies that lost their price.
 * Pure.
 */
import type { Amount } from '../../projections/amount.ts';
import type { Claim } from '../../projections/session/claim.ts';
import type { SessionState } from '../../projections/session/document.ts';
import type { UnpricedCopies } from '../../projections/session/unpriced.ts';
import { recordMeasures } from '../../projections/usage.ts';
import type { Tokens } from './groups.ts';

export interface RemainingClaim {
  readonly minute: number;
  readonly kind: string;
  readonly provider: string;
  readonly model: string;
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
    ...[...spending.unpriced.values()].flatMap((copies) => toRemaining(copies, false)),
  ];
}

function remainderOf(
  { atMs, provider, model, rest }: Claim,
  isOneAnswer: boolean,
): RemainingClaim[] {
  return toRemaining(
    { minute: Math.floor(atMs / 60_000), kind: 'tool', provider, model, rest },
    isOneAnswer,
  );
}

type Remainder = Pick<UnpricedCopies, 'minute' | 'kind' | 'provider' | 'model' | 'rest'>;

function toRemaining(
  { minute, kind, provider, model, rest }: Remainder,
  isOneAnswer: boolean,
): RemainingClaim[] {
  const records = Number(amountOf(rest, 'records'));
  if (records === 0) return [];
  const tokens = {
    inputTokens: amountOf(rest, 'inputTokens'),
    outputTokens: amountOf(rest, 'outputTokens'),
    cacheReadTokens: amountOf(rest, 'cacheReadTokens'),
    cacheWriteTokens: amountOf(rest, 'cacheWriteTokens'),
    reasoningTokens: amountOf(rest, 'reasoningTokens'),
  };
  const unpricedRecords = Number(amountOf(rest, 'unpricedRecords'));
  const recordedNanoUsd = BigInt(amountOf(rest, 'nanoUsd'));
  return [
    {
      minute,
      kind,
      provider,
      model,
      tokens,
      records,
      unpricedRecords,
      recordedNanoUsd,
      isOneAnswer,
    },
  ];
}

function amountOf(rest: readonly Amount[], measure: (typeof recordMeasures)[number]): Amount {
  return rest[recordMeasures.indexOf(measure)] ?? 0;
}
