/** Stored form of answers: most of what a chunk holds. */
import type { TurnFact } from './facts.ts';

export type StoredJson =
  | string
  | number
  | boolean
  | null
  | readonly StoredJson[]
  | { readonly [name: string]: StoredJson };

export function turnText(turn: TurnFact): readonly StoredJson[] {
  const {
    provider,
    model,
    reported,
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    stopReason,
    nonMessageTokens,
  } = turn;
  const { costNanoUsd, inputNanoUsd, cacheReadNanoUsd, cacheWriteNanoUsd } = turn;
  const figures = [
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    costNanoUsd,
    inputNanoUsd,
    cacheReadNanoUsd,
    cacheWriteNanoUsd,
  ];
  const { outputNanoUsd, requestedAtMs, durationMs, firstTokenMs, errorStatus } = turn;
  const added = [outputNanoUsd, requestedAtMs, durationMs, firstTokenMs, errorStatus];
  return withoutNulls([
    provider,
    model,
    reported,
    stopReason,
    nonMessageTokens,
    ...figures,
    ...added,
  ]);
}

/** Without the nulls at the end, which decoding adds again. */
export function withoutNulls(list: readonly StoredJson[]): readonly StoredJson[] {
  return list.slice(0, list.findLastIndex((each) => each !== null) + 1);
}

export function parseTurn(more: readonly never[]): Partial<TurnFact> {
  return {
    kind: 'turn',
    provider: more[0],
    model: more[1],
    reported: more[2],
    stopReason: more[3],
    nonMessageTokens: more[4],
    inputTokens: more[5],
    outputTokens: more[6],
    cacheReadTokens: more[7],
    cacheWriteTokens: more[8],
    costNanoUsd: more[9] ?? null,
    inputNanoUsd: more[10] ?? null,
    cacheReadNanoUsd: more[11] ?? null,
    cacheWriteNanoUsd: more[12] ?? null,
    outputNanoUsd: more[13] ?? null,
    requestedAtMs: more[14] ?? null,
    durationMs: more[15] ?? null,
    firstTokenMs: more[16] ?? null,
    errorStatus: more[17] ?? null,
  } as unknown as Partial<TurnFact>;
}
