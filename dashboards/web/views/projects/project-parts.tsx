/** A project by branch, commit, pull request, or the values of a label. */

import type { Usage, UsageRow } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { seriesClass } from '../../charts/colours.ts';
import { ranked } from '../../charts/spend-series.ts';
import { formatCount } from '../../format/count.ts';
import { Choices } from '../../parts/choices.tsx';
import { CsvFile } from '../../parts/csv-file.tsx';
import { Name } from '../../parts/name.tsx';
import { NothingFits } from '../../parts/nothing-fits.tsx';
import { CopyCommand } from '../../parts/own-command.tsx';
import { Held, Section } from '../../parts/section.tsx';
import { Table } from '../../parts/table.tsx';
import type { Column } from '../../parts/table-column.ts';
import { csvOf } from '../../parts/table-rows.ts';
import { useAnswer } from '../../state/page.ts';
import { beforeIn } from '../../state/scope.ts';
import { useBefore } from '../overview/before.ts';
import { usageOf } from '../overview/compared.ts';
import { useIsCounting } from '../overview/counting.ts';
import { mainBilling } from '../overview/sums.ts';
import { usageColumns } from '../overview/usage-columns.tsx';
import type { ViewProps } from '../view.ts';
import { namesAsk, namesBeforeAsk, partedBy, stackedBy } from './asks.ts';
import { commandOfProject } from './command.ts';

const partWords: readonly { readonly value: string; readonly words: string }[] = [
  { value: 'branch', words: 'branch' },
  { value: 'commit', words: 'commit' },
  { value: 'pr', words: 'pull request' },
];

const ofParts = [
  ...(['metered', 'change', 'percent', 'subscription', 'unknown'] as const),
  ...(['sessions', 'records'] as const),
];

export function ProjectParts({ place, today }: ViewProps): JSX.Element {
  const by = partedBy(place);
  const parts = useAnswer(namesAsk(place, today, by));
  const { since } = beforeIn(place, today);
  const earlier = useBefore(place, namesBeforeAsk(place, today, by), since);
  const nameOf = (row: UsageRow) => labelOf(row, by);
  const rows = parts.answer?.rows ?? [];
  const isCounting = useIsCounting();
  const isStacked = by === 'branch' && stackedBy(place) === 'branch';
  const columnsOf = ({ rows, total }: Usage): readonly Column<UsageRow>[] => {
    const table = usageOf({ rows, total, earlier, isCounting, nameOf });
    const series = isStacked ? ranked(rows, 'branch').map(({ row }) => row) : null;
    return [
      {
        name: by,
        head: headOf(by),
        cell: (row) => (
          <>
            {series !== null && <span class={`swatch ${seriesClass(series.indexOf(row))}`} />}
            <Name of={nameOf(row)} unknown={by.startsWith('label:') ? '(none)' : '(unknown)'} />
          </>
        ),
        sortBy: nameOf,
      },
      ...usageColumns(table, mainBilling([total]), ofParts),
    ];
  };
  const isPart = parts.answer !== null && parts.answer.next !== null;
  return (
    <Section
      title={titleOf(by)}
      {...(isPart ? { note: `the ${formatCount(rows.length)} costliest` } : {})}
      end={
        <>
          <Choices parameter="of" word="by" among={choicesOf(place)} otherwise="branch" />
          <CsvFile
            text={() => (parts.answer === null ? '' : csvOf(columnsOf(parts.answer), rows))}
          />
          <CopyCommand of={() => commandOfProject(place, today, by)} />
        </>
      }
      width={12}
    >
      <Held key={by} of={parts}>
        {(answer) =>
          answer.rows.length === 0 ? (
            <NothingFits what="spend" />
          ) : (
            <Table
              name="parts"
              label={titleOf(by)}
              columns={columnsOf(answer)}
              rows={answer.rows}
              all={answer.next === null ? answer.rows.length : null}
              first={10}
              keyOf={(row) => JSON.stringify(nameOf(row))}
              sort={{ column: mainBilling([answer.total]), isUp: false }}
              hasTotals
            />
          )
        }
      </Held>
    </Section>
  );
}

/** Labels that the scope names can be chosen; any other by its URL: `of=label:KEY`. */
function choicesOf({ parameters }: ViewProps['place']) {
  const { of = '' } = parameters;
  const keys = [...Object.keys(parameters), of].filter((name) => name.startsWith('label:'));
  return [...partWords, ...[...new Set(keys)].map((value) => ({ value, words: value }))];
}

function labelOf(row: UsageRow, by: string): string | null {
  const label = Object.entries(row).find(([name]) => name === by)?.[1];
  return typeof label === 'string' ? label : null;
}

function headOf(by: string): string {
  return { branch: 'Branch', commit: 'Commit', pr: 'Pull request' }[by] ?? by.slice(6);
}

function titleOf(by: string): string {
  return { branch: 'Branches', commit: 'Commits', pr: 'Pull requests' }[by] ?? by;
}
