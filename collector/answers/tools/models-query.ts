/** What was asked of each tool, by each model or by all, and what the answers that did cost. */
import type { ToolCostRow, ToolModelFigures, ToolModelRow } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import { asked } from '../../projections/timings/rollups.ts';
import { timings } from '../../projections/timings.ts';
import { inTurns } from '../../timers/in-turns.ts';
import type { SumRow, ViewsReader } from '../../views/views.ts';
import { exactCount } from '../spend/exact-count.ts';
import { type ModelsQuestion, timingsConditions } from '../timings/conditions.ts';
import { groupedSums } from '../timings/grouped-sums.ts';
import { hiddenModelsIn, hiddenWords, readModel, shownModel, shownWord } from '../timings/names.ts';
import { compareNames, countIn, nameOrNull, type Sums, totalOf } from '../timings/rows.ts';
import { compareTools } from './query.ts';

export interface ToolModelReport {
  /** Sorted by calls, then by name. */
  readonly lines: readonly ToolModelLine[];
  readonly total: ToolModelFigures;
  /** How many tools and models `(other)` stands for. */
  readonly hiddenCount: number;
}

/** What a row is sorted by: unknown names are empty. */
export type ToolModelKey = readonly [calls: number, tool: string, provider: string, model: string];

export interface ToolModelLine {
  readonly key: ToolModelKey;
  /** Made when it is asked for: an answer has a page of all rows. */
  row(): ToolModelRow;
}

/** `views`: as the caller may see them. Throws `bad_parameter`. */
export async function toolModelReport(
  views: ViewsReader,
  question: ModelsQuestion,
): Promise<ToolModelReport> {
  const where = timingsConditions(question);
  const by = ['tool', 'provider', 'model', 'billing', 'day'];
  const rows = await views.sum(timings, asked, { by, where });
  const tools = await hiddenWords(asked, 'tool', 'calls', { views, where, rows });
  const models = await hiddenModelsIn(asked, { views, where, rows });
  const keyOfModel = shownModel(models);
  const groups = await groupedSums(
    rows,
    (dimensions) =>
      JSON.stringify([shownWord(tools, dimensions.tool), ...readModel(keyOfModel(dimensions))]),
    within,
  );
  const lines: ToolModelLine[] = [];
  await inTurns(groups, ([key, sums]) => lines.push(lineOf(JSON.parse(key), sums)));
  return {
    lines: lines.toSorted((left, right) => compareToolModels(left.key, right.key)),
    total: await totalFigures(rows),
    hiddenCount: tools.size + models.size,
  };
}

export interface ToolCostReport {
  readonly rows: readonly ToolCostLine[];
  readonly total: ToolModelFigures;
  /** Those that `(other)` stands for. */
  readonly hidden: ReadonlySet<string>;
}

interface ToolCostLine extends Pick<ToolCostRow, 'tool' | 'calls'> {
  row(): ToolCostRow;
}

/** Over all models. Throws `bad_parameter`. */
export async function toolCostReport(
  views: ViewsReader,
  question: ModelsQuestion,
): Promise<ToolCostReport> {
  const where = timingsConditions(question);
  const rows = await views.sum(timings, asked, { by: ['tool', 'billing', 'day'], where });
  const hidden = await hiddenWords(asked, 'tool', 'calls', { views, where, rows });
  const groups = await groupedSums(rows, ({ tool }) => shownWord(hidden, tool), within);
  const lines: ToolCostLine[] = [];
  await inTurns(groups, ([tool, sums]) => {
    const calls = callsIn(sums);
    lines.push({
      tool,
      calls,
      row: () => ({ tool, lastDay: lastDayOf(sums), ...figuresOf(sums) }),
    });
  });
  return { rows: lines.toSorted(compareTools), total: await totalFigures(rows), hidden };
}

/** What figures of a tool need of its rows. */
const within = ['billing', 'day'] as const;

async function totalFigures(rows: readonly SumRow[]): Promise<ToolModelFigures> {
  const [all = []] = (await groupedSums(rows, () => '', ['billing'])).values();
  return figuresOf(all);
}

function callsIn(sums: readonly SumRow[]): number {
  return countIn(totalOf(sums), 'calls');
}

export function compareToolModels(left: ToolModelKey, right: ToolModelKey): number {
  return (
    right[0] - left[0] ||
    compareNames(left[1], right[1]) ||
    compareNames(left[2], right[2]) ||
    compareNames(left[3], right[3])
  );
}

function lineOf(
  [tool, provider, model]: readonly [tool: string, provider: string, model: string],
  sums: readonly SumRow[],
): ToolModelLine {
  return {
    key: [callsIn(sums), tool, provider, model],
    row: () => ({
      tool,
      provider: nameOrNull(provider),
      model: nameOrNull(model),
      lastDay: lastDayOf(sums),
      ...figuresOf(sums),
    }),
  };
}

function lastDayOf(sums: readonly SumRow[]): string {
  const days = sums.map(({ dimensions }) => dimensions.day ?? '');
  return days.toSorted(compareNames).at(-1) ?? '';
}

function figuresOf(sums: readonly SumRow[]): ToolModelFigures {
  const total = totalOf(sums);
  const billed = (billing: Billing) =>
    totalOf(sums.filter(({ dimensions }) => dimensions.billing === billing));
  const metered = billed('metered');
  const subscription = billed('subscription');
  const unknown = billed('unknown');
  const without = (of: Sums) => ({
    unpricedCalls: countIn(of, 'unpricedCalls'),
    unreportedCalls: countIn(of, 'unreportedCalls'),
  });
  const nanoUsd = (of: Sums): string => String(of.nanoUsd ?? 0n);
  return {
    calls: countIn(total, 'calls'),
    tokens: exactCount(total.tokens ?? 0n),
    meteredNanoUsd: nanoUsd(metered),
    subscriptionNanoUsd: nanoUsd(subscription),
    unknownBillingNanoUsd: nanoUsd(unknown),
    byBilling: {
      metered: without(metered),
      subscription: without(subscription),
      unknown: without(unknown),
    },
  };
}
