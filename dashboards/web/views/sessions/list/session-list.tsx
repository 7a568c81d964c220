/** All sessions of the scope, sorted by the API over all pages. */

import type { Session } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { commandOf } from '../../../format/command.ts';
import { formatCount } from '../../../format/count.ts';
import { CsvFile } from '../../../parts/csv-file.tsx';
import { NothingFits } from '../../../parts/nothing-fits.tsx';
import { CopyCommand } from '../../../parts/own-command.tsx';
import { SameNumbers } from '../../../parts/same-numbers.tsx';
import { Held, Section } from '../../../parts/section.tsx';
import { Table } from '../../../parts/table.tsx';
import { csvOf } from '../../../parts/table-rows.ts';
import { everyRow } from '../../../state/every-row.ts';
import { useAnswers, usePage } from '../../../state/page.ts';
import { usePages } from '../../../state/pages.ts';
import { withParameters } from '../../../state/place.ts';
import { periodIn } from '../../../state/scope.ts';
import { useIsCounting } from '../../overview/counting.ts';
import type { ViewProps } from '../../view.ts';
import { isSortedHere, listAsk, listContextAsk } from '../asks.ts';
import { columnsOf } from './columns.tsx';

/** Each has a thousand. */
const pagesMax = 20;

export function SessionList({ place, today }: ViewProps): JSX.Element {
  const { answers } = usePage();
  const { pages, isAll, more } = usePages((cursor) => listAsk(place, today, cursor));
  const cursors = [undefined, ...pages.map(({ answer }) => answer?.next ?? undefined)];
  const isHere = isSortedHere(place);
  useEffect(() => {
    if (isHere && !isAll && pages.at(-1)?.answer != null && pages.length < pagesMax) more();
  });
  const fills = useAnswers(
    pages.flatMap(({ answer }, index) =>
      answer === null || isHere ? [] : [listContextAsk(place, today, cursors[index])],
    ),
  );
  const rows = pages.flatMap(({ answer }) => answer?.rows ?? []);
  const [first] = pages;
  const total = first?.answer?.total ?? null;
  const isCounting = useIsCounting();
  const columns = columnsOf(today.day, rows, fillsOf(fills), isCounting);
  const period = periodIn(place, today);
  const command = commandOf('pi-ledger sessions --limit 50', place, period);
  const csv = async () => {
    const newest = withParameters(place, { sort: isHere ? null : (place.parameters.sort ?? null) });
    const all = await everyRow(answers, (cursor) => listContextAsk(newest, today, cursor));
    const known = fillsOf([{ answer: { rows: all } }]);
    return csvOf(columnsOf(today.day, all, known, isCounting), all);
  };
  return (
    <>
      <h1 class="unseen">Sessions</h1>
      <Section
        title="Sessions"
        note={<>{total !== null && `${formatCount(total)}, `}each as a whole</>}
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
                <NothingFits what="session" />
              ) : (
                <Table
                  name="sessions"
                  label="Sessions"
                  columns={columns}
                  rows={rows.length === 0 ? answer.rows : rows}
                  keyOf={({ id }) => id}
                  sort={{ column: 'lastSeen', isUp: false }}
                  all={total}
                  onMore={isAll ? undefined : more}
                />
              )
            }
          </Held>
        )}
      </Section>
      <SameNumbers command={command} request={listAsk(place, today).url} />
    </>
  );
}

/** By session; undefined: not asked yet. Null: not known. */
function fillsOf(
  fills: readonly { readonly answer: { readonly rows: readonly Session[] } | null }[],
): ReadonlyMap<string, Session['context']> {
  return new Map(
    fills.flatMap(({ answer }) =>
      (answer?.rows ?? []).map(({ id, context }): [string, Session['context']] => [id, context]),
    ),
  );
}
