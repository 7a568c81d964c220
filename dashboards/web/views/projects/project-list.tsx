/** All projects. Their answers come a thousand at a time. */
import type { UsageFigures, UsageRow } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { formatCount } from '../../format/count.ts';
import { Copy } from '../../parts/copy.tsx';
import { Link } from '../../parts/link.tsx';
import { Name } from '../../parts/name.tsx';
import { SameNumbers } from '../../parts/same-numbers.tsx';
import { Empty, Held, Section } from '../../parts/section.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { csvOf } from '../../parts/table-rows.ts';
import { useAnswer } from '../../state/page.ts';
import { usePages } from '../../state/pages.ts';
import { unknownId } from '../../state/place-id.ts';
import type { ViewProps } from '../view.ts';
import { projectsAsk, projectsBeforeAsk } from './asks.ts';
import { type Before, beforeOf, changeBetween, changeOf } from './changes.ts';
import {
  cacheColumn,
  changeColumns,
  countColumn,
  moneyColumn,
  tokensColumn,
  unknownColumns,
} from './columns.tsx';

type Total = UsageFigures | undefined;

const nameOf = ({ project = null }: UsageRow): string | null => project;

export function ProjectList({ place, today }: ViewProps): JSX.Element {
  const { pages, isAll, more } = usePages((cursor) => projectsAsk(place, today, cursor));
  const earlier = useAnswer(projectsBeforeAsk(place, today)).answer;
  const before = beforeOf(earlier, nameOf);
  const rows = pages.flatMap(({ answer }) => answer?.rows ?? []);
  const [first] = pages;
  const total = first?.answer?.total;
  const columns = columnsOf(total, before, earlier?.total);
  const note = isAll
    ? 'against as much time before'
    : `the ${formatCount(rows.length)} dearest, sorted among themselves`;
  return (
    <>
      <h1 class="unseen">Projects</h1>
      <Section
        title="Projects"
        note={note}
        end={<Copy words="CSV" text={() => csvOf(columns, rows)} />}
      >
        {first !== undefined && (
          <Held of={first}>
            {(answer) =>
              answer.rows.length === 0 ? (
                <Empty>Nothing was spent in this period. A longer one may have projects.</Empty>
              ) : (
                <Table
                  name="projects"
                  label="Projects"
                  columns={columns}
                  rows={rows}
                  all={isAll ? rows.length : null}
                  onMore={isAll ? undefined : more}
                  keyOf={(row) => JSON.stringify(nameOf(row))}
                  sort={{ column: 'metered', isUp: false }}
                  hasTotals
                />
              )
            }
          </Held>
        )}
      </Section>
      <SameNumbers
        command="pi-ledger report --by project"
        request={projectsAsk(place, today).url}
      />
    </>
  );
}

function columnsOf(total: Total, before: Before, earlier: Total): readonly Column<UsageRow>[] {
  return [
    {
      name: 'project',
      head: 'Project',
      cell: (row) => (
        <Link view="projects" id={nameOf(row) ?? unknownId} class="name">
          <Name of={nameOf(row)} />
        </Link>
      ),
      sortBy: nameOf,
    },
    moneyColumn('metered', 'Metered', total),
    ...changeColumns((row) => changeOf(row, nameOf(row), before), changeBetween(total, earlier)),
    moneyColumn('subscription', 'Subscription', total),
    ...unknownColumns(total),
    tokensColumn(total),
    cacheColumn(total),
    countColumn('unpriced', 'Unpriced', ({ unpricedRecords }) => unpricedRecords, total),
    countColumn('unreported', 'Unreported', ({ unreportedRecords }) => unreportedRecords, total),
  ];
}
