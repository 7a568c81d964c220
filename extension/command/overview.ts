/** The lines of `/ledger` that only the collector can fill. */

import { grouped } from '../../contract/amounts.ts';
import { shareText } from '../../core/text/share-text.ts';
import { recordsIn } from '../live/totals.ts';
import { budgetAmount } from './amounts.ts';
import type { Overview, OverviewAnswer, OverviewBudget } from './asking/overview.ts';
import { collectorCommand } from './collector-command.ts';
import { spentText } from './spent.ts';

/** `asking`: the collector has not answered yet. */
export type AskState = OverviewAnswer | { readonly is: 'asking' };

/** Beside the session: in its own figure they would count twice. */
export function subagentLines(asked: AskState): readonly string[] {
  if (asked.is !== 'overview' || asked.overview.session === null) return [];
  const { isGrowing, session } = asked.overview;
  const { claimed, subagents, isAtLeast, subagentsSpent } = session;
  const sessions = `${isAtLeast ? '≥ ' : ''}${grouped(subagents)}`;
  return [
    ...(subagents === 0
      ? []
      : [
          `Subagents: ${sessions} with ${spentText(subagentsSpent, isGrowing)}, not in the session`,
        ]),
    ...(claimed === null || recordsIn(claimed) === 0
      ? []
      : [
          `Subagents that recorded nothing, by what tools say of them: ` +
            `${spentText(claimed, isGrowing)}, not in the session`,
        ]),
  ];
}

/** Returns null if it is not known. */
export function projectTodayText(asked: AskState): string | null {
  if (asked.is !== 'overview' || asked.overview.projectToday === null) return null;
  const { projectToday, isGrowing } = asked.overview;
  return spentText(projectToday, isGrowing);
}

/** `home`: PI_LEDGER_HOME. */
export function todayLines(asked: AskState, home: string): readonly string[] {
  if (asked.is === 'asking')
    return ['Today, this month, subagents and budgets: asking the collector …'];
  if (asked.is === 'none')
    return [`Today, this month, subagents and budgets: not known: ${asked.why}`];
  const { overview } = asked;
  const { user, today, month, isGrowing } = overview;
  const whose = user === null ? '' : ` (${user})`;
  return [
    `Today, all projects${whose}: ${spentText(today, isGrowing)}`,
    `This month, all projects${whose}: ${spentText(month, isGrowing)}`,
    ...doubtLines(overview, home),
  ];
}

/** Both in one line; `/ledger today` has one for each. */
export function briefTodayLines(asked: AskState, home: string): readonly string[] {
  if (asked.is !== 'overview') return todayLines(asked, home);
  const { overview } = asked;
  const { user, today, month, isGrowing } = overview;
  const whose = user === null ? '' : ` (${user})`;
  const sums = `${spentText(today, isGrowing)}; this month: ${spentText(month, isGrowing)}`;
  return [`Today, all projects${whose}: ${sums}`, ...doubtLines(overview, home)];
}

/** Those that are over, near or fullest; `/ledger budgets` has all. */
export function briefBudgetLines(asked: AskState): readonly string[] {
  if (asked.is !== 'overview') return [];
  const { budgets, budgetsLeftOut } = asked.overview;
  const fullest = budgets.toSorted((one, other) => (other.usedShare ?? 0) - (one.usedShare ?? 0));
  const shown = fullest.slice(0, budgetsShown).map(budgetText);
  const more = budgets.length - shown.length;
  const last = shown.pop();
  if (last === undefined) return budgetsLeftOut;
  const all = more === 0 ? last : `${last} · ${more} more: /ledger budgets`;
  return [...shown, all, ...budgetsLeftOut];
}

const budgetsShown = 2;

/** Only those that say something about this session's project and user. */
export function budgetLines(asked: AskState): readonly string[] {
  if (asked.is !== 'overview') return [];
  const { budgets, budgetsLeftOut } = asked.overview;
  return [...budgets.map(budgetText), ...budgetsLeftOut];
}

function budgetText(budget: OverviewBudget): string {
  const { name, per, unit, limit, used, usedShare, isAtLeast, state } = budget;
  const atLeast = isAtLeast ? '≥ ' : '';
  const share = usedShare === null ? '' : ` (${atLeast}${shareText(usedShare)})`;
  const amount = used === null ? 'n/a' : `${atLeast}${amountIn(unit, used)}`;
  const said = state === null ? '' : ` · ${state}`;
  return `Budget ${name}, ${per}: ${amount} of ${amountIn(unit, limit)}${share}${said}`;
}

const units: Readonly<Record<string, string>> = {
  'metered dollars': '',
  'list-price dollars': ' at list price',
  percent: '',
};

function amountIn(unit: string, amount: string): string {
  return budgetAmount(unit, amount) + (units[unit] ?? ` ${unit}`);
}

function doubtLines(
  { importing, isGrowing, session, leftOutLines }: Overview,
  home: string,
): readonly string[] {
  if (importing !== null)
    return [
      `  … importing: ${grouped(importing.files)} of ${grouped(importing.filesToRead)} files; ` +
        'sums grow until then',
    ];
  return [
    ...(leftOutLines > 0
      ? [
          `  ${grouped(leftOutLines)} unreadable lines of session files may hold spend: in no ` +
            `sum; \`${collectorCommand(home)} import\` lists them`,
        ]
      : []),
    ...(isGrowing ? ['  … the collector has not counted everything yet'] : []),
    ...(session === null
      ? ['  the collector does not know this session (yet), or the token may not see it']
      : []),
  ];
}
