/** Notices of budgets that were sent. Nothing where none was, or where the reader may not know. */

import type { JSX } from 'preact';
import { CsvFile } from '../../parts/csv-file.tsx';
import { CopyCommand } from '../../parts/own-command.tsx';
import { Section } from '../../parts/section.tsx';
import { Table } from '../../parts/table.tsx';
import { csvOf } from '../../parts/table-rows.ts';
import { useAnswerOfNow } from '../../state/page.ts';
import { deliveriesAsk } from './asks.ts';
import { deliveryColumns } from './delivery-columns.tsx';

export function Deliveries({ today }: { today: string }): JSX.Element | null {
  const rows = useAnswerOfNow(deliveriesAsk).answer?.rows ?? [];
  if (rows.length === 0) return null;
  const columns = deliveryColumns(today);
  return (
    <Section
      title="Notices sent"
      note="what waits, the newest 50 of each place, and a month of what did not arrive"
      end={
        <>
          <CsvFile text={() => csvOf(columns, rows)} />
          <CopyCommand of={() => 'pi-ledger budgets deliveries'} />
        </>
      }
    >
      <Table
        name="deliveries"
        label="Notices sent"
        columns={columns}
        rows={rows}
        // Two places may show the same address.
        keyOf={(row) => String(rows.indexOf(row))}
        sort={{ column: 'due', isUp: false }}
        first={10}
      />
    </Section>
  );
}
