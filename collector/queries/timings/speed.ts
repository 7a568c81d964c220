/** How fast a model answered, in all and day by day (the rollup `answers`). */
import type { ModelDay, ModelFigures } from '@pi-ledger/contract/answers';
import { answerDurations, firstDurations } from '../../projections/timings/buckets.ts';
import { answers } from '../../projections/timings/rollups.ts';
import { timings } from '../../projections/timings.ts';
import type { ViewsReader } from '../../views/views.ts';
import { type ModelsQuestion, timingsConditions } from './conditions.ts';
import { durationsIn, percentileOf } from './percentile.ts';
import { compareNames, countIn, groupSums, nameOrNull, type Sums } from './rows.ts';

type Speed = Pick<
  ModelFigures,
  'timedAnswers' | 'durationP50' | 'durationP95' | 'firstP50' | 'firstP95' | 'outputTokensPerSecond'
>;

export function speedOf(sums: Sums): Speed {
  return {
    timedAnswers: Number(durationsIn(answerDurations, sums)),
    durationP50: percentileOf(answerDurations, sums, 0.5),
    durationP95: percentileOf(answerDurations, sums, 0.95),
    firstP50: percentileOf(firstDurations, sums, 0.5),
    firstP95: percentileOf(firstDurations, sums, 0.95),
    outputTokensPerSecond: tokensPerSecond(sums),
  };
}

/** What a day is sorted by: unknown names are empty. */
export type ModelDayKey = readonly [day: string, provider: string, model: string];

export interface ModelDayLine {
  readonly key: ModelDayKey;
  readonly row: ModelDay;
}

/** `views`: as the caller may see them. By day, then by name. Throws `bad_parameter`. */
export async function modelDays(
  views: ViewsReader,
  question: ModelsQuestion,
): Promise<readonly ModelDayLine[]> {
  const by = ['day', 'provider', 'model'];
  const sums = await views.sum(timings, answers, { by, where: timingsConditions(question) });
  const keyOf = ({ day = '', provider = '', model = '' }: Readonly<Record<string, string>>) =>
    JSON.stringify([day, provider, model]);
  return [...groupSums(sums, keyOf)].map(lineOf).toSorted((left, right) => {
    return compareModelDays(left.key, right.key);
  });
}

export function compareModelDays(left: ModelDayKey, right: ModelDayKey): number {
  return (
    compareNames(left[0], right[0]) ||
    compareNames(left[1], right[1]) ||
    compareNames(left[2], right[2])
  );
}

function lineOf([text, sums]: readonly [key: string, sums: Sums]): ModelDayLine {
  const key: ModelDayKey = JSON.parse(text);
  const [day, provider, model] = key;
  const names = { day, provider: nameOrNull(provider), model: nameOrNull(model) };
  const attempts = {
    answers: countIn(sums, 'answers'),
    failedAnswers: countIn(sums, 'failedAnswers'),
  };
  return { key, row: { ...names, ...attempts, ...speedOf(sums) } };
}

/** To a tenth of a token. */
function tokensPerSecond(sums: Sums): number | null {
  const us = sums.timedUs ?? 0n;
  return us === 0n
    ? null
    : Math.round((countIn(sums, 'timedOutputTokens') * 1e7) / Number(us)) / 10;
}
