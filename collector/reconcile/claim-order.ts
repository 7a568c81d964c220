/** In which order claims are covered: the oldest first. Pure. */
import { unitFigures } from './figures.ts';
import type { Unit } from './unit.ts';

export const tokenNames = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
] as const;
export const countNames = [...tokenNames, 'reasoningTokens'] as const;

export function oldestFirst(left: Unit, right: Unit): number {
  return left.timeMs - right.timeMs || (unitContent(left) < unitContent(right) ? -1 : 1);
}

/**
 * At the same time, the content decides the order, as in the views. Of one model, claims with a
 * price come first and are covered first: what is left says that its price is unknown.
 */
function unitContent(unit: Unit): string {
  const figures = unitFigures(unit);
  const amounts = [
    figures.records,
    ...countNames.map((name) => figures[name]),
    figures.nanoUsd,
    figures.unpricedRecords,
    figures.unreportedRecords,
  ];
  const source = figures.unpricedRecords > 0n ? 'unpriced' : unit.priceSource;
  return JSON.stringify([unit.provider ?? '', unit.model ?? '', source, ...amounts.map(String)]);
}
