/** `GET /v1/budgets`: how much of each budget is used, and how it came so far. */
import type { Budget, BudgetList } from '@pi-ledger/contract/answers';
import type { SaidCrossing } from '../../projections/budgets.ts';
import { fits } from '../../views/match-condition.ts';
import type { OwnLimits } from '../quota/limits.ts';
import { quotaWindows } from '../quota/query.ts';
import type { VisibleViews } from '../views/visible-views.ts';
import { visibleViews } from '../views/visible-views.ts';
import { amountText, isOfWindow, limitOf, type NamedBudget } from './definition.ts';
import { limitedAt } from './limited-at.ts';
import { type Measured, measureCalendar } from './measure.ts';
import { noOutlook, type Outlook, outlooks, windowOutlook } from './outlook.ts';
import { crossingsIn, inForce, saidCrossings, saidDefinitions } from './said.ts';
import type { SpendViews } from './spend.ts';
import { type MeasuredWindow, measureWindow } from './windows.ts';

export interface MeasuringAsked extends SpendViews {
  /** These are the limits of plans that the user has set. */
  readonly limits: OwnLimits;
}

export interface BudgetsAsked extends MeasuringAsked {
  /** Those of this process' settings; null where another process writes the ledger. */
  configured(): readonly NamedBudget[] | null;
  /** Why some of these settings do not hold. Absent: it is not known. */
  leftOut?(): readonly string[];
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
  const known = await knownBudgets(asked);
  const shown = known.filter(({ definition }) => {
    const scope = { project: definition.project ?? '', user: definition.user ?? '' };
    return (
      fits(scope, where) &&
      (project?.includes(scope.project) ?? true) &&
      (user?.includes(scope.user) ?? true)
    );
  });
  const measured = await measure(asked, shown, nowMs);
  const said = await saidCrossings(
    asked.views,
    shown.map(({ version }) => version),
    nowMs,
  );
  const expected = await outlooks(asked, measured, nowMs);
  const rows = measured.map((each) =>
    rowOf(each, 'window' in each ? windowOutlook(each, nowMs) : expected.get(each.budget), said),
  );
  const leftOut = asked.leftOut?.() ?? [];
  return {
    at: new Date(nowMs).toISOString(),
    rows: rows.toSorted(compareNames),
    leftOut: where.length === 0 ? shortened(leftOut) : leftOut.length === 0 ? [] : [someLeftOut],
  };
}

/** Which ones, a limited caller may not know. */
const someLeftOut =
  'some budgets of this ledger are left out, perhaps one of yours: its administrator sees which ' +
  'in `pi-ledger doctor`';

const leftOutMax = 200;

function shortened(leftOut: readonly string[]): string[] {
  const more = leftOut.length - leftOutMax;
  const rest = more > 0 ? [`${more} more, which \`pi-ledger doctor\` names`] : [];
  return [...leftOut.slice(0, leftOutMax), ...rest];
}

/** Those that are defined now, with the limits that hold now. */
export async function knownBudgets({
  configured,
  views,
  now,
}: Pick<BudgetsAsked, 'configured' | 'views' | 'now'>): Promise<readonly NamedBudget[]> {
  const defined = configured() ?? inForce((await saidDefinitions(views)).values());
  return defined.map((budget) => limitedAt(budget, now()));
}

/** What is used now. */
export async function measure(
  asked: MeasuringAsked,
  budgets: readonly NamedBudget[],
  nowMs: number,
): Promise<readonly (Measured | MeasuredWindow)[]> {
  const calendar = await measureCalendar(asked, budgets, () => nowMs);
  const ofWindows = budgets.filter(({ definition }) => isOfWindow(definition));
  const windows =
    ofWindows.length === 0
      ? []
      : (await quotaWindows(asked, visibleViews(asked), { limits: asked.limits, nowMs })).rows;
  return [...calendar, ...ofWindows.map((budget) => measureWindow(budget, windows, nowMs))];
}

function compareNames(left: Budget, right: Budget): number {
  return left.name < right.name ? -1 : 1;
}

function rowOf(
  measured: Measured,
  outlook: Outlook = noOutlook,
  said: readonly SaidCrossing[],
): Budget {
  const { budget, period, used, state, isAtLeast, counts, unverified } = measured;
  const { name, version, definition } = budget;
  return {
    name,
    version,
    ...definition,
    raised: budget.raised ?? null,
    endsHeadlessRuns: definition.endsHeadlessRuns === true,
    warnByForecast: definition.warnByForecast === true,
    verifiedOnly: definition.verifiedOnly === true,
    period,
    used: used === null ? null : amountText(used, definition.unit),
    usedShare: used === null ? null : Number(used) / Number(limitOf(definition)),
    isAtLeast,
    unpricedRecords: Number(counts.unpricedRecords),
    unreportedRecords: Number(counts.unreportedRecords),
    unknownBillingRecords: Number(counts.unknownBillingRecords),
    unverified:
      unverified === null
        ? null
        : {
            used: amountText(unverified.used, definition.unit),
            records: Number(unverified.records),
          },
    state,
    ...outlook,
    crossings: crossingsIn(said, budget, period).map(crossingOf),
  };
}

function crossingOf(said: SaidCrossing) {
  const { number, at, from, to, forecast = null, used, isAtLeast, isFirst } = said;
  return { number, at, from, to, forecast, used, isAtLeast, isFirst };
}
