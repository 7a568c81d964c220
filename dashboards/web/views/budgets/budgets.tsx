/** How full the windows of subscriptions are. Budgets of one's own come later. */
import type { QuotaWindow } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { Copy } from '../../parts/copy.tsx';
import { SameNumbers } from '../../parts/same-numbers.tsx';
import { Empty, Held, Section } from '../../parts/section.tsx';
import { Table } from '../../parts/table.tsx';
import { csvOf } from '../../parts/table-rows.ts';
import { useAnswerOfNow, usePage } from '../../state/page.ts';
import type { ViewProps } from '../view.ts';
import { windowsAsk } from './asks.ts';
import { columnsOf } from './columns.tsx';

export function Budgets({ today }: ViewProps): JSX.Element {
  const windows = useAnswerOfNow(windowsAsk);
  const columns = columnsOf(today.day, usePage().now().getTime());
  const rows = windows.answer?.rows ?? [];
  return (
    <>
      <div class="view-head">
        <h1>Budgets and quota</h1>
      </div>
      <div class="grid">
        <Section title="Budgets" note="not built yet">
          <Empty>
            Limits of your own, with forecasts and notices, are not in this version. Limits of plans
            are: <code>quota</code> in config.json.
          </Empty>
        </Section>
        <Section
          title="Quota windows of subscriptions"
          note="tick: how much of the window is over"
          end={rows.length > 0 && <Copy words="CSV" text={() => csvOf(columns, rows)} />}
        >
          <Held of={windows}>
            {(answer) =>
              answer.rows.length === 0 ? (
                <Empty>
                  No provider has told of a limit, and config.json sets none. With the extension
                  installed, what providers say in their answers is kept.
                </Empty>
              ) : (
                <Table
                  name="windows"
                  label="Quota windows"
                  columns={columns}
                  rows={answer.rows}
                  keyOf={keyOf}
                  sort={{ column: 'used', isUp: false }}
                  all={answer.rows.length + answer.rowsLeftOut}
                />
              )
            }
          </Held>
        </Section>
      </div>
      <SameNumbers command="pi-ledger quota" request={windowsAsk.url} />
    </>
  );
}

function keyOf({ user, provider, window, source }: QuotaWindow): string {
  return JSON.stringify([user, provider, window, source]);
}
