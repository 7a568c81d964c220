/** Tokens and amounts that can be compared and subtracted. Pure. */
import { billings } from '../../contract/answers/billings.ts';
import type { Figures, Totals } from './totals.ts';

const tokenNames = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
] as const satisfies readonly (keyof Figures)[];

export function figuresOf(totals: Totals): Figures {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, spent } = totals;
  const nanoUsd = billings.reduce((sum, billing) => sum + spent[billing].nanoUsd, 0n);
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, nanoUsd };
}

export function plus(left: Figures, right: Figures): Figures {
  return combined(left, right, (a, b) => a + b, left.nanoUsd + right.nanoUsd);
}

/** Never below zero. */
export function less(left: Figures, right: Figures): Figures {
  const nanoUsd = left.nanoUsd > right.nanoUsd ? left.nanoUsd - right.nanoUsd : 0n;
  return combined(left, right, (a, b) => Math.max(0, a - b), nanoUsd);
}

/** What both hold. */
export function common(left: Figures, right: Figures): Figures {
  return less(left, less(left, right));
}

export function isNothing(figures: Figures): boolean {
  return figures.nanoUsd === 0n && tokenNames.every((name) => figures[name] === 0);
}

/** To the token; amounts may be rounded differently. */
export function hasEqualTokens(left: Figures, right: Figures): boolean {
  return tokenNames.every((name) => left[name] === right[name]);
}

export function hasTokens(figures: Figures): boolean {
  return tokenNames.some((name) => figures[name] > 0);
}

function combined(
  left: Figures,
  right: Figures,
  by: (a: number, b: number) => number,
  nanoUsd: bigint,
): Figures {
  return {
    inputTokens: by(left.inputTokens, right.inputTokens),
    outputTokens: by(left.outputTokens, right.outputTokens),
    cacheReadTokens: by(left.cacheReadTokens, right.cacheReadTokens),
    cacheWriteTokens: by(left.cacheWriteTokens, right.cacheWriteTokens),
    nanoUsd,
  };
}
