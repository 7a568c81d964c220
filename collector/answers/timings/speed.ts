/** How fast a model answered, in all and day by day (the rollup `answers`). */
import type { ModelDay, ModelFigures } from '@pi-ledger/contract/answers';
import { answerDurations, firstDurations } from '../../projections/timings/buckets.ts';
import { answers } from '../../projections/timings/rollups.ts';
import { timings } from '../../projections/timings.ts';
import { inTurns } from '../../timers/in-turns.ts';
import type { ViewsReader } from '../../views/views.ts';
import { type ModelsQuestion, timingsConditions } from './conditions.ts';
import { groupedSums } from './grouped-sums.ts';
import { hiddenModelsIn, modelNames, readModel, shownModel } from './names.ts';
import { durationsIn, percentileOf } from './percentile.ts';
import { compareNames, countIn, nameOrNull, type Sums } from './rows.ts';

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
  /** Made when it is asked for: an answer has a page of all rows. */
  row(): ModelDay;
}

export interface ModelDays {
  /** By day, then by name. */
  readonly lines: readonly ModelDayLine[];
  /** Those that `(other)` stands for. */
  readonly hidden: ReadonlySet<string>;
}

/** `views`: as the caller may see them. Throws `bad_parameter`. */
export async function modelDays(views: ViewsReader, question: ModelsQuestion): Promise<ModelDays> {
  const where = timingsConditions(question);
  const by = ['day', ...modelNames];
  const rows = await views.sum(timings, answers, { by, where });
  const hidden = await hiddenModelsIn(answers, { views, where, rows });
  const modelOf = shownModel(hidden);
  const groups = await groupedSums(rows, (dimensions) =>
    JSON.stringify([dimensions.day ?? '', ...readModel(modelOf(dimensions))]),
  );
  const lines: ModelDayLine[] = [];
  await inTurns(groups, ([key, [row]]) => {
    lines.push(lineOf(JSON.parse(key), row?.measures ?? {}));
  });
  return {
    lines: lines.toSorted((left, right) => compareModelDays(left.key, right.key)),
    hidden,
  };
}

export function compareModelDays(left: ModelDayKey, right: ModelDayKey): number {
  return (
    compareNames(left[0], right[0]) ||
    compareNames(left[1], right[1]) ||
    compareNames(left[2], right[2])
  );
}

function lineOf(key: ModelDayKey, sums: Sums): ModelDayLine {
  const [day, provider, model] = key;
  return {
    key,
    row: () => ({
      day,
      provider: nameOrNull(provider),
      model: nameOrNull(model),
      answers: countIn(sums, 'answers'),
      failedAnswers: countIn(sums, 'failedAnswers'),
      ...speedOf(sums),
    }),
  };
}

/** To a tenth of a token. */
function tokensPerSecond(sums: Sums): number | null {
  const us = sums.timedUs ?? 0n;
  return us === 0n
    ? null
    : Math.round((countIn(sums, 'timedOutputTokens') * 1e7) / Number(us)) / 10;
}
