/** How full the windows of subscriptions are. */
import type { QuotaWindow } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { CsvFile } from '../../parts/csv-file.tsx';
import { Empty, Held, Section } from '../../parts/section.tsx';
import { Table } from '../../parts/table.tsx';
import { csvOf } from '../../parts/table-rows.ts';
import { useAnswerOfNow, usePage } from '../../state/page.ts';
import { windowsAsk } from './asks.ts';
import { columnsOf } from './columns.tsx';

export function QuotaWindows({ today }: { today: string }): JSX.Element {
  const windows = useAnswerOfNow(windowsAsk);
  const columns = columnsOf(today, usePage().now().getTime());
  const rows = windows.answer?.rows ?? [];
  return (
    <Section
      title="Quota windows of subscriptions"
      note="tick: how much of the window is over"
      end={rows.length > 0 && <CsvFile text={() => csvOf(columns, rows)} />}
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
  );
}

function keyOf({ user, provider, window, source }: QuotaWindow): string {
  return JSON.stringify([user, provider, window, source]);
}
