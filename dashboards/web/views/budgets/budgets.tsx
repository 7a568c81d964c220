/** Whether limits hold: those of budgets, and those of subscriptions' windows. */
import type { Budget, BudgetList } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { formatCount } from '../../format/count.ts';
import { CsvFile } from '../../parts/csv-file.tsx';
import { SameNumbers } from '../../parts/same-numbers.tsx';
import { Empty, Held, Section } from '../../parts/section.tsx';
import { Table } from '../../parts/table.tsx';
import { csvOf } from '../../parts/table-rows.ts';
import { useAnswerOfNow } from '../../state/page.ts';
import { budgetsAsk } from '../overview/asks.ts';
import type { ViewProps } from '../view.ts';
import { crossingsAsk, planHistoryAsk, stepsAsk, windowsAsk } from './asks.ts';
import { budgetColumns } from './budget-table.tsx';
import { chartedOf } from './charted.ts';
import { Crossings } from './crossings.tsx';
import { Deliveries } from './deliveries.tsx';
import { NewBudget } from './new-budget.tsx';
import { PlanHistory } from './plan-history.tsx';
import { QuotaWindows } from './quota-windows.tsx';
import { SoFar } from './so-far.tsx';

const commands = [
  'pi-ledger budgets',
  'pi-ledger budgets crossings',
  'pi-ledger quota',
  'pi-ledger quota history',
];

export function Budgets({ place, today }: ViewProps): JSX.Element {
  const budgets = useAnswerOfNow(budgetsAsk);
  const [isNew, setNew] = useState(false);
  const rows = budgets.answer?.rows ?? [];
  const charted = chartedOf(rows, place.parameters.show);
  const chart = charted === null ? [] : [stepsAsk(charted.budget, charted.steps)];
  const asked = [budgetsAsk, crossingsAsk, windowsAsk, planHistoryAsk, ...chart];
  return (
    <>
      <div class="view-head">
        <h1>Budgets and quota</h1>
        {rows.length > 0 && (
          <span class="end">
            <button type="button" class="link" aria-expanded={isNew} onClick={() => setNew(!isNew)}>
              New budget
            </button>
          </span>
        )}
      </div>
      <div class="grid">
        {isNew && rows.length > 0 && (
          <Section title="New budget">
            <NewBudget />
          </Section>
        )}
        {charted !== null && <SoFar {...charted} today={today.day} />}
        {rows.length > 0 && <Crossings today={today.day} width={charted === null ? 12 : 4} />}
        <All of={budgets} today={today.day} openKey={charted?.budget.name ?? null} />
        <QuotaWindows today={today.day} />
        <PlanHistory today={today.day} />
        <Deliveries today={today.day} />
      </div>
      <SameNumbers command={commands} request={asked.map(({ url }) => url).join(', GET ')} />
    </>
  );
}

interface AllProps {
  readonly of: ReturnType<typeof useAnswerOfNow<BudgetList>>;
  readonly today: string;
  /** The one whose chart stands above. */
  readonly openKey: string | null;
}

function All({ of, today, openKey }: AllProps): JSX.Element {
  const columns = budgetColumns(today);
  const rows = of.answer?.rows ?? [];
  return (
    <Section
      title="Budgets"
      note={rows.length === 0 ? undefined : formatCount(rows.length)}
      end={rows.length > 0 && <CsvFile text={() => csvOf(columns, rows)} />}
    >
      <Held of={of}>
        {(answer) =>
          answer.rows.length === 0 ? (
            <>
              <Empty>No budget is set. These lines would set three:</Empty>
              <NewBudget />
            </>
          ) : (
            <Table
              name="budgets"
              label="Budgets"
              columns={columns}
              rows={answer.rows}
              keyOf={({ name }: Budget) => name}
              sort={{ column: 'share', isUp: false }}
              openKey={openKey}
            />
          )
        }
      </Held>
    </Section>
  );
}
