/** `GET /v1/budgets`: how much of each budget is used, and how it came so far. */
import type { Budget, BudgetList } from '@pi-ledger/contract/answers';
import type { SaidCrossing } from '../../projections/budgets.ts';
import { fits } from '../../views/match-condition.ts';
import type { OwnLimits } from '../quota/limits.ts';
import { quotaWindows } from '../quota/quota.ts';
import type { VisibleViews } from '../visible-views.ts';
import { visibleViews } from '../visible-views.ts';
import type { UsageViews } from '../zoned-usage.ts';
import { amountText, isOfWindow, limitOf, type NamedBudget } from './definition.ts';
import { type Measured, measureCalendar } from './measure.ts';
import { crossingsIn, inForce, saidCrossings, saidDefinitions } from './said.ts';
import { measureWindow } from './windows.ts';

export interface MeasuringAsked extends UsageViews {
  /** Of plans: the user's own. */
  readonly limits: OwnLimits;
}

export interface BudgetsAsked extends MeasuringAsked {
  /** Those of this process' settings; null where another process writes the ledger. */
  configured(): readonly NamedBudget[] | null;
  readonly now: () => number;
}

export interface BudgetsQuestion {
  /** Empty: those of no project. */
  readonly project?: readonly string[];
  readonly user?: readonly string[];
}

/** All of a budget is told to whoever may see all that it counts. */
export async function budgetList(
  asked: BudgetsAsked,
  { where }: VisibleViews,
  { project, user }: BudgetsQuestion,
): Promise<BudgetList> {
  const nowMs = asked.now();
  const known = asked.configured() ?? inForce((await saidDefinitions(asked.views)).values());
  const shown = known
    .filter(({ definition }) => {
      const scope = { project: definition.project ?? '', user: definition.user ?? '' };
      return (
        fits(scope, where) &&
        (project?.includes(scope.project) ?? true) &&
        (user?.includes(scope.user) ?? true)
      );
    })
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const measured = await measure(asked, shown, nowMs);
  const said = await saidCrossings(
    asked.views,
    shown.map(({ version }) => version),
    nowMs,
  );
  const rows = shown.map((budget) => rowOf(measured.get(budget), budget, said));
  return { at: new Date(nowMs).toISOString(), rows };
}

/** What is used now. */
export async function measure(
  asked: MeasuringAsked,
  budgets: readonly NamedBudget[],
  nowMs: number,
): Promise<ReadonlyMap<NamedBudget, Measured>> {
  const calendar = await measureCalendar(asked, budgets, () => nowMs);
  const ofWindows = budgets.filter(({ definition }) => isOfWindow(definition));
  const windows =
    ofWindows.length === 0
      ? []
      : (await quotaWindows(asked, visibleViews(asked.views), { limits: asked.limits, nowMs }))
          .rows;
  const all = [...calendar, ...ofWindows.map((budget) => measureWindow(budget, windows, nowMs))];
  return new Map(all.map((each) => [each.budget, each]));
}

function rowOf(
  measured: Measured | undefined,
  budget: NamedBudget,
  said: readonly SaidCrossing[],
): Budget {
  const { name, version, definition } = budget;
  const { unit } = definition;
  const { period = null, used = null, state = null, isAtLeast = false } = measured ?? {};
  const counted = (count: bigint | undefined) => Number(count ?? 0n);
  return {
    name,
    version,
    ...definition,
    period,
    used: used === null ? null : amountText(used, unit),
    usedShare: used === null ? null : Number(used) / Number(limitOf(definition)),
    isAtLeast,
    unpricedRecords: counted(measured?.counts.unpricedRecords),
    unreportedRecords: counted(measured?.counts.unreportedRecords),
    unknownBillingRecords: counted(measured?.counts.unknownBillingRecords),
    state,
    forecast: null,
    noForecast: 'none yet',
    fullAt: null,
    crossings: crossingsIn(said, budget, period).map(crossingOf),
  };
}

function crossingOf({ number, at, from, to, used, isAtLeast, isFirst }: SaidCrossing) {
  return { number, at, from, to, used, isAtLeast, isFirst };
}
