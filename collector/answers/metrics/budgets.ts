/** How budgets stand now, beside the counters: the gauges of `GET /metrics` and OTLP. */
import type { BudgetStateName } from '@pi-ledger/contract';
import type {
  CounterReading,
  Counters,
  MetricReading,
} from '@pi-ledger/contract/telemetry/counters';
import { metrics } from '@pi-ledger/contract/telemetry/metrics';
import { limitOf } from '../budgets/definition.ts';
import type { Measured } from '../budgets/measure.ts';
import { type BudgetsAsked, knownBudgets, measure } from '../budgets/query.ts';
import { type Counted, gaugePoints } from './points.ts';

/** The metrics that are not of `createCounters`. */
export type BudgetKey = 'budgetState' | 'budgetUtilization';

/**
 * The same counters, with a point for each budget that is defined now. There is none of a window
 * that nobody knows, and none at all where budgets cannot be measured: counters go on without, and
 * `onError` has the reason.
 */
export function withBudgets(
  counters: Counters,
  asked: BudgetsAsked,
  onError: (error: unknown) => void,
): Counters {
  async function measuredNow(): Promise<readonly Measured[]> {
    try {
      return await measure(asked, await knownBudgets(asked), asked.now());
    } catch (error) {
      onError(error);
      return [];
    }
  }

  return {
    async read() {
      const reading = await counters.read();
      if (reading === null) return null;
      return {
        ...reading,
        metrics: [...reading.metrics, ...(await readingsOf(await measuredNow()))],
      };
    },
  };
}

async function readingsOf(measured: readonly Measured[]): Promise<CounterReading['metrics']> {
  const readingOf = async (
    metric: MetricReading['metric'],
    amountOf: AmountOf,
  ): Promise<MetricReading> => ({
    metric,
    points: await gaugePoints(metric, measured.flatMap(countedBy(amountOf))),
  });
  return [
    await readingOf(metrics.budgetState, ({ state }) => (state === null ? null : numbers[state])),
    await readingOf(metrics.budgetUtilization, utilizationOf),
  ];
}

type AmountOf = (measured: Measured) => bigint | null;

function countedBy(amountOf: AmountOf): (measured: Measured) => readonly Counted[] {
  return (measured) => {
    const amount = amountOf(measured);
    return amount === null ? [] : [{ named: { 'pi.budget.name': measured.budget.name }, amount }];
  };
}

const numbers: Readonly<Record<BudgetStateName, bigint>> = { ok: 0n, warning: 1n, over: 2n };

/** In millionths, rounded down: never 1 before the limit is reached. */
function utilizationOf({ used, budget }: Measured): bigint | null {
  return used === null ? null : (used * 1_000_000n) / limitOf(budget.definition);
}
