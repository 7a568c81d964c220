/** Tokens in bars: what was sent, apart by how, and what came back. */
import type { Series } from '../kit/chart.ts';
import { fourth, second, solid, third } from '../kit/look.ts';
import { inBars, sum, sumOrZero } from '../kit/promql.ts';

export const newInput: Series = {
  expr:
    `${sum(inBars('inputTokens'))} - ` +
    `${sumOrZero(inBars('cacheReadTokens'))} - ` +
    sumOrZero(inBars('cacheWriteTokens')),
  legend: 'new input',
  color: solid,
};

export const cached: readonly Series[] = [
  { expr: sum(inBars('cacheReadTokens')), legend: 'read from the cache', color: third },
  { expr: sum(inBars('cacheWriteTokens')), legend: 'written to the cache', color: fourth },
];

export const output: Series = {
  expr: sum(inBars('outputTokens')),
  legend: 'output',
  color: second,
};
