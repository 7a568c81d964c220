/** A table of usage with its head: what is shown, CSV and command. */

import type { UsageRow } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { ranked } from '../../charts/spend-series.ts';
import { commandOf } from '../../format/command.ts';
import { ofAll } from '../../format/count.ts';
import { CsvFile } from '../../parts/csv-file.tsx';
import { NothingFits } from '../../parts/nothing-fits.tsx';
import { CopyCommand } from '../../parts/own-command.tsx';
import { Section } from '../../parts/section.tsx';
import { Table } from '../../parts/table.tsx';
import { csvOf } from '../../parts/table-rows.ts';
import { everyRow } from '../../state/every-row.ts';
import { useAnswer, usePage } from '../../state/page.ts';
import { beforeIn, periodIn } from '../../state/scope.ts';
import type { ViewProps } from '../view.ts';
import { beforeAsk, byAgent, tableAsk } from './asks.ts';
import { useBefore } from './before.ts';
import { type UsageTable, usageOf } from './compared.ts';
import { useIsCounting } from './counting.ts';
import type { UsageColumn } from './usage-columns.tsx';

export interface UsageSectionProps extends ViewProps {
  readonly by: 'project' | 'model' | 'provider' | 'user' | typeof byAgent;
  readonly title: string;
  readonly billing: Billing;
  readonly hasTotals?: boolean;
  readonly note?: string;
  /** At first; `More` shows the others. */
  readonly first?: number;
  columns(table: UsageTable): readonly UsageColumn[];
}

export function UsageSection(props: UsageSectionProps): JSX.Element {
  const { place, today, by, title, billing, hasTotals = false } = props;
  const name = by === byAgent ? 'agent' : by;
  const now = useAnswer(tableAsk(place, today, by));
  const period = periodIn(place, today);
  const earlier = useBefore(place, beforeAsk(place, today, by), beforeIn(place, today).since);
  const isCounting = useIsCounting();
  const rows = useMemo(
    () => ranked(now.answer?.rows ?? [], name).map(({ row }) => row),
    [now.answer, name],
  );
  const total = now.answer?.total ?? null;
  const table = useMemo(
    () => usageOf({ rows, total, earlier, isCounting, nameOf: (row) => nameIn(row, by) }),
    [rows, total, earlier, by, isCounting],
  );
  const columns = props.columns(table);
  const isAll = now.answer === null || now.answer.next === null;
  const { answers } = usePage();
  const csv = async () => {
    const all = await everyRow(answers, (cursor) => tableAsk(place, today, by, cursor));
    return csvOf(columns, all);
  };
  return (
    <Section
      title={title}
      note={isAll ? props.note : [ofMore(rows.length), props.note ?? []].flat().join(', ')}
      end={
        <>
          <CsvFile text={csv} />
          <CopyCommand
            of={() =>
              commandOf(
                `pi-ledger report --by ${by.replace('agentKind', 'agent-kind')}`,
                place,
                period,
              )
            }
          />
        </>
      }
    >
      {now.answer !== null && rows.length === 0 ? (
        <NothingFits what="spend" />
      ) : (
        <div class={now.answer === null ? 'waiting' : undefined}>
          <Table
            name={name}
            label={title}
            columns={columns}
            rows={rows}
            all={isAll ? rows.length : null}
            keyOf={(row: UsageRow) => nameIn(row, by) ?? ''}
            sort={{ column: billing, isUp: false }}
            hasTotals={hasTotals}
            {...(props.first === undefined ? {} : { first: props.first })}
          />
        </div>
      )}
    </Section>
  );
}

function nameIn(row: UsageRow, by: UsageSectionProps['by']): string | null {
  if (by !== byAgent) return row[by] ?? null;
  return JSON.stringify([row.agentKind ?? null, row.agent ?? null]);
}

function ofMore(rows: number): string {
  return `${ofAll(rows, null)}: those with most spend of any kind`;
}
