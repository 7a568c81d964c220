/** Which models have dots, where, and what is said of them. */
import type { ModelDay } from '@pi-ledger/contract/answers';
import { describe, expect, it } from 'vitest';
import {
  formatSpeed,
  speedIn,
  speedSeries,
  speedWords,
} from '../../../dashboards/web/views/models/speed.ts';

const at = (ms: number, is: 'interpolated' | 'at least' = 'interpolated') => ({ ms, is });
const row: ModelDay = {
  day: '2026-11-22',
  provider: 'anthropic',
  model: 'large',
  answers: 3,
  failedAnswers: 1,
  timedAnswers: 2,
  durationP50: at(9_000),
  durationP95: at(81_920, 'at least'),
  firstP50: at(812),
  firstP95: at(2_240),
  outputTokensPerSecond: 62.1,
};
const untimed = {
  ...row,
  timedAnswers: 0,
  durationP50: null,
  durationP95: null,
  firstP50: null,
  firstP95: null,
  outputTokensPerSecond: null,
};
const columns = ['2026-11-21', '2026-11-22', '2026-11-23'];

describe('the speed of models by day', () => {
  it('has the order of the models, and a place for each day', () => {
    const other = { ...row, model: 'fast', day: '2026-11-23' };
    const models = [{ provider: 'anthropic', model: 'fast' }, row];
    expect(speedSeries(models, [row, other], columns, 'first')).toEqual([
      { name: 'fast', days: [null, null, other] },
      { name: 'large', days: [null, row, null] },
    ]);
  });

  it('leaves out models of which nothing was measured, and all but the first five', () => {
    const local = { ...untimed, model: 'local' };
    const many = Array.from({ length: 7 }, (_, index) => ({ ...row, model: `m${index}` }));
    const series = speedSeries([local, ...many], [local, ...many], columns, 'answer');
    expect(series.map(({ name }) => name)).toEqual(['m0', 'm1', 'm2', 'm3', 'm4']);
  });

  it('names the provider of a model that several sell', () => {
    const other = { ...row, provider: 'bedrock' };
    const series = speedSeries([row, other], [row, other], columns, 'tokens');
    expect(series.map(({ name }) => name)).toEqual(['anthropic/large', 'bedrock/large']);
  });

  it('says percentiles as estimates, and those beyond the last bucket as at least', () => {
    expect(speedWords(row, 'first')).toBe('~812 ms, 95 of 100 within ~2.2 s');
    expect(speedWords(row, 'answer')).toBe('~9.0 s, 95 of 100 within ≥81.9 s');
    expect(speedWords(row, 'tokens')).toBe('62 tokens/s');
    expect([speedWords(untimed, 'first'), speedWords(null, 'tokens')]).toEqual([null, null]);
    expect([speedIn(untimed, 'answer'), formatSpeed(500, 'first')]).toEqual([null, '500 ms']);
  });
});
