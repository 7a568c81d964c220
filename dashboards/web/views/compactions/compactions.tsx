/** What each compaction dropped, cost and saved. */
import type { Compaction, CompactionList, CompactionTotals } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { commandOf } from '../../format/command.ts';
import { formatCount, ofAll } from '../../format/count.ts';
import { Choices, chosen } from '../../parts/choices.tsx';
import { CsvFile } from '../../parts/csv-file.tsx';
import { NothingFits } from '../../parts/nothing-fits.tsx';
import { SameNumbers } from '../../parts/same-numbers.tsx';
import { Held, Section } from '../../parts/section.tsx';
import { Table } from '../../parts/table.tsx';
import { csvOf } from '../../parts/table-rows.ts';
import { everyRow } from '../../state/every-row.ts';
import { useAnswer, usePage } from '../../state/page.ts';
import { withParameters } from '../../state/place.ts';
import { periodIn } from '../../state/scope.ts';
import type { ViewProps } from '../view.ts';
import { compactionsAsk, narrowings } from './asks.ts';
import { columnsOf } from './columns.tsx';
import { NetOfEach } from './net-chart.tsx';
import { tokensMaxOf } from './range-mark.tsx';
import { Story } from './story.tsx';
import { Summary } from './summary.tsx';

export function Compactions({ place, today }: ViewProps): JSX.Element {
  const period = periodIn(place, today);
  const asked = compactionsAsk(place, today, 'all');
  const all = useAnswer(asked);
  return (
    <>
      <div class="view-head">
        <h1>Compactions</h1>
        {all.answer !== null && <span class="quiet">{countWords(all.answer.total)}</span>}
      </div>
      <Held of={all}>
        {(answer) => (
          <>
            <Summary total={answer.total} />
            {answer.rows.length > 0 && (
              <div class="grid spaced">
                <NetOfEach answer={answer} period={period} place={place} today={today.day} />
              </div>
            )}
          </>
        )}
      </Held>
      <Audit place={place} today={today} />
      <SameNumbers
        command={commandOf('pi-ledger compactions', place, period)}
        request={asked.url}
      />
    </>
  );
}

function Audit({ place, today }: ViewProps): JSX.Element {
  const page = usePage();
  const narrowing = chosen(place.parameters.only, narrowings, 'all');
  const listed = useAnswer(compactionsAsk(place, today, narrowing));
  const openId = place.parameters.show ?? null;
  const onStory = (show: string | null) => page.go(withParameters(place, { show }), 'replace');
  const rows = listed.answer?.rows ?? [];
  const columns = columnsOf(rows, {
    today: today.day,
    tokensMax: tokensMaxOf(rows),
    openId,
    onStory,
  });
  const csv = async () => {
    const askPage = (cursor?: string) => compactionsAsk(place, today, narrowing, cursor);
    return csvOf(columns, await everyRow(page.answers, askPage));
  };
  const isElsewhere = openId !== null && !rows.slice(0, drawnMax).some(({ id }) => id === openId);
  const openIndex = rows.findIndex(({ id }) => id === openId);
  return (
    <div class="grid">
      {isElsewhere && listed.answer !== null && (
        <Section
          title="One compaction"
          end={
            <button type="button" class="link" onClick={() => onStory(null)}>
              Close
            </button>
          }
        >
          <Story id={openId} />
        </Section>
      )}
      <Section
        title="Audit"
        note={listed.answer === null ? undefined : auditNote(listed.answer)}
        end={
          <>
            <Choices parameter="only" among={narrowings} otherwise="all" />
            <CsvFile text={csv} />
          </>
        }
      >
        <Held of={listed}>
          {(answer) =>
            answer.rows.length === 0 ? (
              <NothingFits what="compaction" parameter="only" />
            ) : (
              <Table
                name="audit"
                label="Audit"
                columns={columns}
                rows={answer.rows}
                keyOf={({ id }) => id}
                sort={{ column: 'when', isUp: false }}
                all={countOf(answer.total)}
                first={Math.max(shownFirst, openIndex + 1)}
                openKey={openId}
                story={({ id }: Compaction) => <Story id={id} />}
                onStory={onStory}
              />
            )
          }
        </Held>
      </Section>
    </div>
  );
}

const shownFirst = 25;
/** The table draws so many rows whole; the story of a later one stands above it. */
const drawnMax = 200;

function countOf({ compactions, branchSummaries, failures }: CompactionTotals): number {
  return compactions + branchSummaries + failures;
}

function countWords({ compactions, branchSummaries, failures }: CompactionTotals): string {
  return (
    `${formatCount(compactions)}, ${formatCount(failures)} failed, ` +
    `${formatCount(branchSummaries)} branch ${branchSummaries === 1 ? 'summary' : 'summaries'}`
  );
}

function auditNote({ rows, total, next }: CompactionList): string {
  return next === null ? 'newest first' : `${ofAll(rows.length, countOf(total))}, newest first`;
}
