/** Budgets that need attention, before what else does. */
import type { JSX } from 'preact';
import { Link } from '../../parts/link.tsx';
import { None } from '../../parts/marks.tsx';
import { Money } from '../../parts/money.tsx';
import { Name } from '../../parts/name.tsx';
import { useAnswer } from '../../state/page.ts';
import { budgetsAsk } from './asks.ts';
import { type Alarm, alarmsOf } from './limits.ts';

export function useAlarms(): readonly Alarm[] {
  return alarmsOf(useAnswer(budgetsAsk).answer?.rows ?? []);
}

export function BudgetAlarms({ alarms }: { alarms: readonly Alarm[] }): JSX.Element | null {
  if (alarms.length === 0) return null;
  return (
    <>
      <h3>Budgets</h3>
      <ol class="attention">
        {alarms.map((alarm) => (
          <Item key={alarm.budget.name} of={alarm} />
        ))}
      </ol>
    </>
  );
}

function Item({ of }: { of: Alarm }): JSX.Element {
  const { budget, amount, is, words, reason } = of;
  return (
    <li>
      <span class="amount">{amount === null ? <None /> : <Money {...amount} isChange />}</span>
      <span class="title">
        <Name of={budget.name} />: <span class={`state ${is}`}>{words}</span>
      </span>
      <span class="go">
        <Link view="budgets" parameters={{ show: budget.name }}>
          Budget
        </Link>
      </span>
      <span class="why">{reason}</span>
    </li>
  );
}
