/** One look at all budgets: what has to be said about them now. */
import type { BudgetForecast, LedgerEvent } from '@pi-ledger/contract';
import { isOfWindow, type NamedBudget } from '../../answers/budgets/definition.ts';
import { limitedAt } from '../../answers/budgets/limited-at.ts';
import { type Measured, measureCalendar } from '../../answers/budgets/measure.ts';
import { outlooks } from '../../answers/budgets/outlook.ts';
import { periodAt, zoneOf } from '../../answers/budgets/periods.ts';
import { type MeasuringAsked, measure } from '../../answers/budgets/query.ts';
import { crossingsIn, saidCrossings, saidDefinitions } from '../../answers/budgets/said.ts';
import type { SaidCrossing, SaidDefinition } from '../../projections/budgets.ts';
import { crossingEvents, definitionEvents } from './events.ts';
import { isUnsaid } from './next-crossing.ts';

/** So long after its end a period is looked at for what comes late. */
const lateMs = 2 * 86_400_000;

export interface LookAsked extends MeasuringAsked {
  /** When spend was withdrawn. */
  withdrawnAt(): Promise<readonly string[]>;
}

export async function lookAtBudgets(
  asked: LookAsked,
  budgets: readonly NamedBudget[],
  nowMs: number,
): Promise<readonly LedgerEvent[]> {
  const said = await saidDefinitions(asked.views);
  const defined = definitionEvents(said, budgets, nowMs);
  if (budgets.length === 0) return defined;
  const limited = budgets.map((budget) => limitedAt(budget, nowMs));
  const current = await measure(asked, limited, nowMs);
  const before = await measureBefore(asked, budgets, said, nowMs);
  const versions = budgets.map(({ version }) => version);
  const crossings = await saidCrossings(asked.views, versions, nowMs);
  const forecasts = await findForecasts(asked, current, crossings, nowMs);
  const withdrawnAt = await asked.withdrawnAt();
  const crossed = current.flatMap((each) => {
    const forecast = forecasts.get(each.budget);
    return crossingEvents(each, crossings, nowMs, { forecast, withdrawnAt });
  });
  const late = before.flatMap((each) => crossingEvents(each, crossings, nowMs, { withdrawnAt }));
  return [...defined, ...late, ...crossed];
}

/** Returns forecasts of budgets that want a notice of one and are likely to pass their limits. */
async function findForecasts(
  asked: MeasuringAsked,
  current: readonly Measured[],
  said: readonly SaidCrossing[],
  nowMs: number,
): Promise<ReadonlyMap<NamedBudget, BudgetForecast>> {
  const awaited = current.filter(
    ({ budget, period, state }) =>
      budget.definition.warnByForecast === true &&
      state === 'ok' &&
      isUnsaid(crossingsIn(said, budget, period)),
  );
  const found = new Map<NamedBudget, BudgetForecast>();
  for (const [budget, { forecast, fullAt }] of await outlooks(asked, awaited, nowMs)) {
    if (forecast === null || fullAt === null) continue;
    const { low, middle, high } = forecast;
    found.set(budget, { low, middle, high, fullAt });
  }
  return found;
}

/** The periods that have just ended, of budgets that were defined then. */
function measureBefore(
  asked: MeasuringAsked,
  budgets: readonly NamedBudget[],
  said: ReadonlyMap<string, SaidDefinition>,
  nowMs: number,
): Promise<readonly Measured[]> {
  const ended = budgets.flatMap((budget) => {
    const { name, version, definition } = budget;
    const known = said.get(name);
    if (isOfWindow(definition) || known?.version !== version) return [];
    const endMs = periodAt(definition, zoneOf(definition.timeZone), nowMs).startMs;
    const isDue = nowMs - endMs < lateMs && Date.parse(known.at) < endMs;
    return isDue ? [[limitedAt(budget, endMs - 1), endMs - 1] as const] : [];
  });
  const at = new Map(ended);
  return measureCalendar(asked, [...at.keys()], (budget) => at.get(budget) ?? nowMs);
}
