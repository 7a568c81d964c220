/** All projects. Their answers come a thousand at a time. */

import type { UsageRow } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { JSX } from 'preact';
import { commandOf } from '../../format/command.ts';
import { formatCount } from '../../format/count.ts';
import { CsvFile } from '../../parts/csv-file.tsx';
import { Link } from '../../parts/link.tsx';
import { Name } from '../../parts/name.tsx';
import { NothingFits } from '../../parts/nothing-fits.tsx';
import { CopyCommand } from '../../parts/own-command.tsx';
import { SameNumbers } from '../../parts/same-numbers.tsx';
import { Held, Section } from '../../parts/section.tsx';
import { Table } from '../../parts/table.tsx';
import { csvOf } from '../../parts/table-rows.ts';
import { everyRow } from '../../state/every-row.ts';
import { usePage } from '../../state/page.ts';
import { usePages } from '../../state/pages.ts';
import { unknownId } from '../../state/place-id.ts';
import { beforeIn, beforeWords, periodIn } from '../../state/scope.ts';
import { useBefore } from '../overview/before.ts';
import { type UsageTable, usageOf } from '../overview/compared.ts';
import { useIsCounting } from '../overview/counting.ts';
import { mainBilling } from '../overview/sums.ts';
import { type UsageColumn, usageColumns } from '../overview/usage-columns.tsx';
import type { ViewProps } from '../view.ts';
import { projectsAsk, projectsBeforeAsk } from './asks.ts';

const nameOf = ({ project = null }: UsageRow): string | null => project;

export function ProjectList({ place, today }: ViewProps): JSX.Element {
  const { answers } = usePage();
  const { pages, isAll, more } = usePages((cursor) => projectsAsk(place, today, cursor));
  const { since } = beforeIn(place, today);
  const earlier = useBefore(place, projectsBeforeAsk(place, today), since);
  const isCounting = useIsCounting();
  const rows = pages.flatMap(({ answer }) => answer?.rows ?? []);
  const [first] = pages;
  const total = first?.answer?.total ?? null;
  const billing = mainBilling(total === null ? [] : [total]);
  const columns = columnsOf(usageOf({ rows, total, earlier, isCounting, nameOf }), billing);
  const command = commandOf('pi-ledger report --by project', place, periodIn(place, today));
  const csv = async () => {
    const all = await everyRow(answers, (cursor) => projectsAsk(place, today, cursor));
    const table = usageOf({ rows: all, total, earlier, isCounting, nameOf });
    return csvOf(columnsOf(table, billing), all);
  };
  return (
    <>
      <h1 class="unseen">Projects</h1>
      <Section
        title="Projects"
        note={
          isAll || total === null
            ? `against ${beforeWords(place, today)}`
            : `the ${formatCount(rows.length)} costliest, sorted among themselves`
        }
        end={
          <>
            <CsvFile text={csv} />
            <CopyCommand of={() => command} />
          </>
        }
      >
        {first !== undefined && (
          <Held of={first}>
            {(answer) =>
              answer.rows.length === 0 ? (
                <NothingFits what="spend" />
              ) : (
                <Table
                  name="projects"
                  label="Projects"
                  columns={columns}
                  rows={rows.length === 0 ? answer.rows : rows}
                  all={isAll ? rows.length : null}
                  onMore={isAll ? undefined : more}
                  keyOf={(row) => JSON.stringify(nameOf(row))}
                  sort={{ column: billing, isUp: false }}
                  hasTotals
                />
              )
            }
          </Held>
        )}
      </Section>
      <SameNumbers command={command} request={projectsAsk(place, today).url} />
    </>
  );
}

function columnsOf(table: UsageTable, billing: Billing): readonly UsageColumn[] {
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
    ...usageColumns(table, billing),
  ];
}
