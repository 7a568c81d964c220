/**
 * Models: what they cost (from the rollup `usage`: all spend, as every report has it), and how fast
 * and how reliably they answered (from the rollups of `timings`).
 */
import type { ModelFigures, ModelRow } from '@pi-ledger/contract/answers';
import { sessions } from '../../projections/sessions.ts';
import { answers, statuses } from '../../projections/timings/rollups.ts';
import { timings } from '../../projections/timings.ts';
import { usage } from '../../projections/usage.ts';
import type { SumRow, ViewsReader } from '../../views/views.ts';
import { addSum, costOf, noSums, toFigures, tokensOf } from '../usage-figures.ts';
import { type ModelsQuestion, timingsConditions } from './conditions.ts';
import { compareAmounts, compareNames, countIn, nameOrNull, totalOf } from './rows.ts';
import { speedOf } from './speed.ts';

export interface ModelReport {
  /** Sorted by cost, then tokens, then name. */
  readonly rows: readonly ModelLine[];
  readonly total: ModelFigures;
}

interface ModelLine extends ModelPosition {
  readonly row: ModelRow;
}

/** What a row is sorted by. Kinds of billing are added up for that alone. */
export interface ModelPosition {
  readonly cost: bigint;
  readonly tokens: bigint;
  readonly provider: string;
  readonly model: string;
}

/** `views`: as the caller may see them. Throws `bad_parameter`. */
export async function modelReport(
  views: ViewsReader,
  question: ModelsQuestion,
): Promise<ModelReport> {
  const where = timingsConditions(question);
  const names = ['provider', 'model'];
  const found: Found = {
    spent: await views.sum(sessions, usage, { by: [...names, 'billing'], where }),
    answered: await views.sum(timings, answers, { by: [...names, 'billing', 'host'], where }),
    failed: await views.sum(timings, statuses, { by: [...names, 'status'], where }),
  };
  const keys = new Set(Object.values(found).flatMap((rows: readonly SumRow[]) => rows.map(keyOf)));
  const lines = [...keys].map((key) => lineOf(key, found));
  return { rows: lines.toSorted(compareModels), total: figuresOf(found).figures };
}

export function compareModels(left: ModelPosition, right: ModelPosition): number {
  return (
    compareAmounts(right.cost, left.cost) ||
    compareAmounts(right.tokens, left.tokens) ||
    compareNames(left.provider, right.provider) ||
    compareNames(left.model, right.model)
  );
}

interface Found {
  readonly spent: readonly SumRow[];
  readonly answered: readonly SumRow[];
  readonly failed: readonly SumRow[];
}

function keyOf({ dimensions: { provider = '', model = '' } }: SumRow): string {
  return JSON.stringify([provider, model]);
}

function lineOf(key: string, { spent, answered, failed }: Found): ModelLine {
  const [provider, model]: readonly [string, string] = JSON.parse(key);
  const own = (rows: readonly SumRow[]) => rows.filter((row) => keyOf(row) === key);
  const { figures, cost, tokens } = figuresOf({
    spent: own(spent),
    answered: own(answered),
    failed: own(failed),
  });
  const names = { provider: nameOrNull(provider), model: nameOrNull(model) };
  return { cost, tokens, provider, model, row: { ...names, ...figures } };
}

function figuresOf({ spent, answered, failed }: Found) {
  const all = noSums();
  for (const { dimensions, measures } of spent) addSum(all, dimensions.billing ?? '', measures);
  const sums = totalOf(answered);
  const figures: ModelFigures = {
    ...toFigures(all),
    answers: countIn(sums, 'answers'),
    failedAnswers: countIn(sums, 'failedAnswers'),
    abortedAnswers: countIn(sums, 'abortedAnswers'),
    cutOffAnswers: countIn(sums, 'cutOffAnswers'),
    retries: retriesIn(answered, 'retries'),
    retriesGivenUp: retriesIn(answered, 'retriesGivenUp'),
    ...speedOf(sums),
    costPer1kOutput: {
      meteredNanoUsd: costPer1k(answered, 'metered'),
      subscriptionNanoUsd: costPer1k(answered, 'subscription'),
      unknownBillingNanoUsd: costPer1k(answered, 'unknown'),
    },
    statuses: statusesOf(failed),
  };
  return { figures, cost: costOf(all), tokens: tokensOf(all) };
}

/** Null without a row of a host that tells: 0 would say that there were none. */
function retriesIn(answered: readonly SumRow[], name: 'retries' | 'retriesGivenUp'): number | null {
  const telling = answered.filter(
    ({ dimensions, measures }) => dimensions.host === 'omp' || (measures.retries ?? 0n) > 0n,
  );
  return telling.length === 0 ? null : countIn(totalOf(telling), name);
}

function costPer1k(answered: readonly SumRow[], billing: string): string | null {
  const sums = totalOf(answered.filter(({ dimensions }) => dimensions.billing === billing));
  const tokens = sums.pricedOutputTokens ?? 0n;
  return tokens === 0n ? null : (((sums.nanoUsd ?? 0n) * 1_000n + tokens / 2n) / tokens).toString();
}

function statusesOf(failed: readonly SumRow[]): ModelFigures['statuses'] {
  return [...Map.groupBy(failed, ({ dimensions }) => dimensions.status ?? '')]
    .map(([status, rows]) => {
      const sums = totalOf(rows);
      return {
        status: status === '' ? null : Number(status),
        failedAnswers: countIn(sums, 'failedAnswers'),
        errorResponses: countIn(sums, 'errorResponses'),
      };
    })
    .toSorted(
      (left, right) =>
        right.failedAnswers + right.errorResponses - left.failedAnswers - left.errorResponses ||
        (left.status ?? 0) - (right.status ?? 0),
    );
}
