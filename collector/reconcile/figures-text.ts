import type { Figures } from './figures.ts';

/** For people who compare two of them. */
export function figuresText(figures: Figures): string {
  const {
    records,
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    nanoUsd,
    unpricedRecords,
    unreportedRecords,
  } = figures;
  const tokens = `${inputTokens} in, ${outputTokens} out, ${cacheReadTokens} read, ${cacheWriteTokens} written`;
  const left = `${unpricedRecords} unpriced, ${unreportedRecords} unreported`;
  return `${records} records, ${tokens}, ${nanoUsd} nano-dollars, ${left}`;
}
