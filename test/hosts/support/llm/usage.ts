/**
 * The token numbers that the fake model reports. Every answer of a server has unique numbers in
 * every field, so that a sum shows which answers it includes: with equal numbers, a turn counted
 * twice and another one missing would cancel out.
 */

/**
 * Tokens as both APIs can express them. `cacheWrite1hTokens` is part of `cacheWriteTokens`,
 * `reasoningTokens` of `outputTokens`.
 */
export interface ServedUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly cacheWrite1hTokens: number;
  readonly reasoningTokens: number;
}

export interface UsageShape {
  /** Request number on this server, from 1. */
  readonly sequence: number;
  /** Answers behind the prompt: the first turn writes the cache, later ones read it. */
  readonly step: number;
  readonly thinking: boolean;
  /** Enough to overflow a window of 10,000 tokens. */
  readonly big: boolean;
}

/** Prompt and answer together stay under 9,000 tokens unless `big`, whatever the step. */
export function usageFor({ sequence, step, thinking, big }: UsageShape): ServedUsage {
  const own = sequence % 97;
  const first = step === 0;
  return {
    inputTokens: (big ? 8_600 : 101) + 7 * own,
    outputTokens: (big ? 590 : 47) + 3 * own,
    cacheReadTokens: first || big ? 0 : 903 * (1 + ((step - 1) % 5)) + 5 * own,
    cacheWriteTokens: big ? 0 : (first ? 2003 : 307) + 2 * own,
    cacheWrite1hTokens: big ? 0 : 11 + own,
    reasoningTokens: thinking ? 19 + own : 0,
  };
}

/**
 * What a provider bills as prompt: the one number that every host reports, however it splits it.
 */
export function promptTokens(usage: ServedUsage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}
