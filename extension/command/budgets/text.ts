/** Budgets in notices and questions. Pure. */
import { shareText } from '../../../core/text/share-text.ts';
import { budgetAmount } from '../amounts.ts';
import type { OverviewBudget } from '../asking/overview.ts';

/** `Budget shop is over: $52.10 of $50.00 this month.` */
export function budgetNotice(budget: OverviewBudget): string {
  const { name, per, unit, limit, used, isAtLeast } = budget;
  const amount = used === null ? 'n/a' : `${isAtLeast ? '≥ ' : ''}${budgetAmount(unit, used)}`;
  const what = `${amount} of ${budgetAmount(unit, limit)}${noun(unit)} ${periodText(per)}`;
  const end = budget.state === 'ok' ? endText(budget) : '';
  return `Budget ${name} is ${stateText(budget)}: ${what}${end}.`;
}

/** `, ~$57.20 at its end` */
function endText({ expected, unit }: OverviewBudget): string {
  return expected === null ? '' : `, ~${budgetAmount(unit, expected)} at its end`;
}

function stateText({ state, usedShare, isAtLeast }: OverviewBudget): string {
  if (state === 'over') return 'over';
  if (state === 'ok') return 'likely to pass its limit';
  if (usedShare === null) return 'near its limit';
  return `at ${isAtLeast ? '≥ ' : ''}${shareText(usedShare)}`;
}

const periods: ReadonlyMap<string, string> = new Map([
  ['day', 'today'],
  ['week', 'this week'],
  ['month', 'this month'],
  ['5h window', 'in this 5 h window'],
  ['week window', "in this week's window"],
]);

function periodText(per: string): string {
  return periods.get(per) ?? (/^\d+ days$/.test(per) ? `in these ${per}` : per);
}

function noun(unit: string): string {
  if (unit === 'list-price dollars') return ' at list price';
  return unit === 'tokens' ? ' tokens' : '';
}
