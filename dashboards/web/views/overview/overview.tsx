import type { UsageRow } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { formatCount, formatShare, shortCount } from '../../format/count.ts';
import { exactUsd } from '../../format/money.ts';
import { amountOf, fromCache, tokensOf } from '../../format/spend.ts';
import { Copy } from '../../parts/copy.tsx';
import { Link } from '../../parts/link.tsx';
import { MoneyOrNone } from '../../parts/money.tsx';
import { Name } from '../../parts/name.tsx';
import { Held, Section } from '../../parts/section.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { csvOf } from '../../parts/table-rows.ts';
import { useAnswer } from '../../state/page.ts';
import type { ViewProps } from '../view.ts';
import { projectsAsk } from './asks.ts';

export function Overview({ place, today }: ViewProps): JSX.Element {
  const projects = useAnswer(projectsAsk(place, today));
  const rows = projects.answer?.rows ?? [];
  return (
    <div class="grid">
      <Section title="Projects" end={<Copy words="CSV" text={() => csvOf(columns, rows)} />}>
        <Held of={projects}>
          {(answer) => (
            <Table
              name="projects"
              label="Projects"
              columns={columns}
              rows={answer.rows}
              keyOf={(row) => row.project ?? ''}
              sort={{ column: 'metered', isUp: false }}
            />
          )}
        </Held>
      </Section>
    </div>
  );
}

const columns: readonly Column<UsageRow>[] = [
  {
    name: 'project',
    head: 'Project',
    cell: (row) => (
      <Link view="projects" id={row.project ?? null}>
        <Name of={row.project ?? null} />
      </Link>
    ),
    sortBy: (row) => row.project ?? null,
  },
  {
    name: 'metered',
    head: 'Metered',
    isNumber: true,
    cell: (row) => <MoneyOrNone {...amountOf(row, 'metered')} />,
    sortBy: (row) => amountOf(row, 'metered').nanoUsd,
    csv: (row) => exactUsd(BigInt(row.meteredNanoUsd)),
  },
  {
    name: 'tokens',
    head: 'Tokens',
    isNumber: true,
    cell: (row) => shortCount(tokensOf(row)),
    sortBy: tokensOf,
  },
  {
    name: 'fromCache',
    head: 'From cache',
    isNumber: true,
    cell: (row) => formatShare(fromCache(row).read, fromCache(row).sent),
  },
  {
    name: 'unpriced',
    head: 'Unpriced',
    isNumber: true,
    goes: 'second',
    cell: (row) => formatCount(row.unpricedRecords),
    sortBy: (row) => row.unpricedRecords,
  },
];
