import type { Figures } from './figures.ts';

/** Figures as text that people can compare. */
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
  const sent = `${inputTokens} in, ${outputTokens} out`;
  const cached = `${cacheReadTokens} read, ${cacheWriteTokens} written`;
  const left = `${unpricedRecords} unpriced, ${unreportedRecords} unreported`;
  return `${records} records, ${sent}, ${cached}, ${nanoUsd} nano-dollars, ${left}`;
}
