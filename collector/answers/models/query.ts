/**
 * Models: what they cost (from the rollup `usage`: all spend, as every report has it), and how fast
 * and how reliably they answered (from the rollups of `timings`).
 */
import type { ModelFigures, ModelRow } from '@pi-ledger/contract/answers';
import { sessions } from '../../projections/sessions.ts';
import { answers, statuses } from '../../projections/timings/rollups.ts';
import { timings } from '../../projections/timings.ts';
import { usage } from '../../projections/usage.ts';
import { inTurns } from '../../timers/in-turns.ts';
import type { SumRow, ViewsReader } from '../../views/views.ts';
import {
  addSum,
  compareRanks,
  noSums,
  type Rank,
  rankOf,
  type Sums as SpendSums,
  toFigures,
} from '../spend/figures.ts';
import { type ModelsQuestion, timingsConditions } from '../timings/conditions.ts';
import { groupedSums } from '../timings/grouped-sums.ts';
import { hiddenModels, modelNames, readModel, shownModel } from '../timings/names.ts';
import { compareNames, countIn, nameOrNull, totalOf } from '../timings/rows.ts';
import { speedOf } from '../timings/speed.ts';

export interface ModelReport {
  /** Sorted by rank, then by name. */
  readonly rows: readonly ModelLine[];
  readonly total: ModelFigures;
  /** Those that `(other)` stands for. */
  readonly hidden: ReadonlySet<string>;
}

interface ModelLine extends ModelPosition {
  /** Made when it is asked for: an answer has a page of all rows. */
  row(): ModelRow;
}

/** What a row is sorted by. */
export interface ModelPosition {
  readonly rank: Rank;
  readonly provider: string;
  readonly model: string;
}

/** `views`: as the caller may see them. Throws `bad_parameter`. */
export async function modelReport(
  views: ViewsReader,
  question: ModelsQuestion,
): Promise<ModelReport> {
  const where = timingsConditions(question);
  const found: Found = {
    spent: await views.sum(sessions, usage, { by: [...modelNames, ...within.spent], where }),
    answered: await views.sum(timings, answers, { by: [...modelNames, ...within.answered], where }),
    failed: await views.sum(timings, statuses, { by: [...modelNames, ...within.failed], where }),
  };
  const hidden = await hiddenModels({ views, where, rows: Object.values(found).flat() });
  const groups = await grouped(found, shownModel(hidden));
  const keys = new Set(Object.values(groups).flatMap((each) => [...each.keys()]));
  const lines: ModelLine[] = [];
  await inTurns(keys, (key) => lines.push(lineOf(key, partOf(groups, key))));
  const all = await grouped(found, () => '');
  return {
    rows: lines.toSorted(compareModels),
    total: figuresOf(partOf(all, ''), summed(partOf(all, ''))),
    hidden,
  };
}

export function compareModels(left: ModelPosition, right: ModelPosition): number {
  return (
    compareRanks(left.rank, right.rank) ||
    compareNames(left.provider, right.provider) ||
    compareNames(left.model, right.model)
  );
}

interface Found {
  readonly spent: readonly SumRow[];
  readonly answered: readonly SumRow[];
  readonly failed: readonly SumRow[];
}

/** What figures of a model need of its rows. */
const within = { spent: ['billing'], answered: ['billing', 'host'], failed: ['status'] } as const;

type Groups = Readonly<Record<keyof Found, ReadonlyMap<string, readonly SumRow[]>>>;

async function grouped(
  { spent, answered, failed }: Found,
  keyOf: (dimensions: SumRow['dimensions']) => string,
): Promise<Groups> {
  return {
    spent: await groupedSums(spent, keyOf, within.spent),
    answered: await groupedSums(answered, keyOf, within.answered),
    failed: await groupedSums(failed, keyOf, within.failed),
  };
}

function partOf({ spent, answered, failed }: Groups, key: string): Found {
  return {
    spent: spent.get(key) ?? [],
    answered: answered.get(key) ?? [],
    failed: failed.get(key) ?? [],
  };
}

function lineOf(key: string, found: Found): ModelLine {
  const [provider, model] = readModel(key);
  const sums = summed(found);
  const names = { provider: nameOrNull(provider), model: nameOrNull(model) };
  return {
    rank: rankOf(sums),
    provider,
    model,
    row: () => ({ ...names, ...figuresOf(found, sums) }),
  };
}

function summed({ spent }: Found): SpendSums {
  const sums = noSums();
  for (const { dimensions, measures } of spent) addSum(sums, dimensions.billing ?? '', measures);
  return sums;
}

function figuresOf({ answered, failed }: Found, spend: SpendSums): ModelFigures {
  const sums = totalOf(answered);
  return {
    ...toFigures(spend),
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
}

/** Returns null without a row of a host that tells: 0 would say that there were none. */
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
