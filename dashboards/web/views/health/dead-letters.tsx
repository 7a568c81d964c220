/** Events that were refused: they are in no figure. */

import type { DeadLetter } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { formatCount } from '../../format/count.ts';
import { formatMoment } from '../../format/time.ts';
import { Name } from '../../parts/name.tsx';
import { Command } from '../../parts/own-command.tsx';
import { Empty, Held, Section } from '../../parts/section.tsx';
import { Table } from '../../parts/table.tsx';
import type { Column } from '../../parts/table-column.ts';
import { useAnswer } from '../../state/page.ts';
import { lettersAsk } from './asks.ts';

interface Reason {
  readonly code: string;
  readonly field: string;
  readonly message: string;
  readonly count: number;
  readonly oldestAt: string;
}

export function DeadLetters({ today }: { today: string }): JSX.Element {
  const letters = useAnswer(lettersAsk);
  return (
    <Section
      title="Refused events"
      note={letters.answer?.rows.length ? countWords(letters.answer) : undefined}
    >
      <Held of={letters}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty>
              <span class="state good">none</span>
            </Empty>
          ) : (
            <>
              <Table
                name="letters"
                label="Refused events by reason"
                columns={columnsOf(today)}
                rows={reasonsOf(rows)}
                keyOf={({ code, field, message }) => JSON.stringify([code, field, message])}
                sort={{ column: 'count', isUp: false }}
              />
              <p class="note">
                <Command words="rejected list" /> shows them, <code>rejected retry</code> offers
                them again.
              </p>
            </>
          )
        }
      </Held>
    </Section>
  );
}

/** The most frequent first. */
function reasonsOf(rows: readonly DeadLetter[]): readonly Reason[] {
  const groups = Map.groupBy(rows, ({ code, field, message }) =>
    JSON.stringify([code, field, message]),
  );
  return [...groups.values()].flatMap((some) => {
    const [oldest] = some;
    if (oldest === undefined) return [];
    const { code, field, message, receivedAt } = oldest;
    return { code, field, message, count: some.length, oldestAt: receivedAt };
  });
}

function countWords({ rows, next }: { rows: readonly unknown[]; next: string | null }): string {
  return next === null
    ? `${formatCount(rows.length)}, in no figure`
    : `more than ${formatCount(rows.length)}, in no figure; reasons of the oldest`;
}

function columnsOf(today: string): readonly Column<Reason>[] {
  return [
    {
      name: 'code',
      head: 'Reason',
      cell: ({ code }) => <Name of={code} />,
      sortBy: (row) => row.code,
    },
    {
      name: 'field',
      head: 'Field',
      goes: 1,
      cell: ({ field }) => <Name of={field} unknown="" />,
    },
    {
      name: 'message',
      head: 'Message',
      goes: 1,
      cell: ({ message }) => <Name of={message} charsMax={120} />,
    },
    {
      name: 'oldest',
      head: 'Oldest',
      cell: ({ oldestAt }) => formatMoment(oldestAt, today),
      sortBy: ({ oldestAt }) => oldestAt,
    },
    {
      name: 'count',
      head: 'Events',
      isNumber: true,
      cell: ({ count }) => formatCount(count),
      sortBy: ({ count }) => count,
    },
  ];
}
