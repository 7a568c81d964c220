/** What was asked of each tool, by each model or by all, and what the answers that did cost. */
import type { ToolCostRow, ToolModelFigures, ToolModelRow } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import { asked } from '../../projections/timings/rollups.ts';
import { timings } from '../../projections/timings.ts';
import type { SumRow, ViewsReader } from '../../views/views.ts';
import { exactCount } from '../exact-count.ts';
import { type ModelsQuestion, timingsConditions } from './conditions.ts';
import { compareNames, countIn, nameOrNull, type Sums, totalOf } from './rows.ts';
import { compareTools } from './tools.ts';

export interface ToolModelReport {
  /** Sorted by calls, then by name. */
  readonly lines: readonly ToolModelLine[];
  readonly total: ToolModelFigures;
}

/** What a row is sorted by: unknown names are empty. */
export type ToolModelKey = readonly [calls: number, tool: string, provider: string, model: string];

export interface ToolModelLine {
  readonly key: ToolModelKey;
  readonly row: ToolModelRow;
}

/** `views`: as the caller may see them. Throws `bad_parameter`. */
export async function toolModelReport(
  views: ViewsReader,
  question: ModelsQuestion,
): Promise<ToolModelReport> {
  const by = ['tool', 'provider', 'model', 'billing', 'day'];
  const sums = await views.sum(timings, asked, { by, where: timingsConditions(question) });
  const groups = Map.groupBy(sums, ({ dimensions: { tool, provider, model } }) =>
    JSON.stringify([tool, provider, model]),
  );
  const lines = [...groups.values()].map(lineOf);
  return {
    lines: lines.toSorted((left, right) => compareToolModels(left.key, right.key)),
    total: figuresOf(sums),
  };
}

/** Over all models. Throws `bad_parameter`. */
export async function toolCostReport(
  views: ViewsReader,
  question: ModelsQuestion,
): Promise<{ readonly rows: readonly ToolCostRow[]; readonly total: ToolModelFigures }> {
  const by = ['tool', 'billing', 'day'];
  const sums = await views.sum(timings, asked, { by, where: timingsConditions(question) });
  const rows = [...Map.groupBy(sums, ({ dimensions }) => dimensions.tool ?? '')].map(
    ([tool, ofTool]) => ({ tool, lastDay: lastDayOf(ofTool), ...figuresOf(ofTool) }),
  );
  return { rows: rows.toSorted(compareTools), total: figuresOf(sums) };
}

export function compareToolModels(left: ToolModelKey, right: ToolModelKey): number {
  return (
    right[0] - left[0] ||
    compareNames(left[1], right[1]) ||
    compareNames(left[2], right[2]) ||
    compareNames(left[3], right[3])
  );
}

function lineOf(sums: readonly SumRow[]): ToolModelLine {
  const { tool = '', provider = '', model = '' } = sums[0]?.dimensions ?? {};
  const figures = figuresOf(sums);
  return {
    key: [figures.calls, tool, provider, model],
    row: {
      tool,
      provider: nameOrNull(provider),
      model: nameOrNull(model),
      lastDay: lastDayOf(sums),
      ...figures,
    },
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
