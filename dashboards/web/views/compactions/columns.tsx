/** The columns of the audit. Money is of several kinds here: each row says of which. */

import type { Compaction } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { compactionTable } from '../../../../contract/answers/compactions/columns.ts';
import { formatCount, shortCount } from '../../format/count.ts';
import { csvUsd } from '../../format/money.ts';
import { shortId } from '../../format/session.ts';
import { formatMoment } from '../../format/time.ts';
import { pageColumns } from '../../parts/answer-columns.tsx';
import { Link } from '../../parts/link.tsx';
import { Marked, None, NotKnown } from '../../parts/marks.tsx';
import { Money } from '../../parts/money.tsx';
import { Name } from '../../parts/name.tsx';
import type { Column } from '../../parts/table-column.ts';
import { costOf, netOf } from './amounts.ts';
import { RangeMark } from './range-mark.tsx';

export interface ColumnOptions {
  readonly today: string;
  /** The right end of range marks, in tokens. */
  readonly tokensMax: number;
  readonly openId: string | null;
  onStory(id: string | null): void;
}

export function columnsOf(
  rows: readonly Compaction[],
  { today, tokensMax, openId, onStory }: ColumnOptions,
): readonly Column<Compaction>[] {
  const cells = {
    ...ownCells,
    when: {
      cell: ({ id, time }: Compaction) => (
        <button
          type="button"
          aria-expanded={id === openId}
          onClick={() => onStory(id === openId ? null : id)}
        >
          {formatMoment(time, today)}
        </button>
      ),
    },
    range: {
      head: `0 to ${shortCount(tokensMax)} tokens`,
      cell: (row: Compaction) => <RangeMark row={row} tokensMax={tokensMax} />,
      csv: ({ savedTokens }: Compaction) => String(savedTokens ?? ''),
      unit: 'tokens saved',
    },
  };
  return pageColumns(compactionTable, { rows, today, cells });
}

const ownCells = {
  session: {
    cell: ({ session }: Compaction) => (
      <Link view="sessions" id={session} class="mono">
        {shortId(session)}
      </Link>
    ),
  },
  model: {
    cell: (row: Compaction) => (row.kind === 'failure' ? <None /> : <Name of={row.model} />),
  },
  summaryCost: {
    cell: (row: Compaction) => <SummaryCost row={row} />,
    csv: ({ costNanoUsd }: Compaction) => exactOf(costNanoUsd),
    unit: 'USD',
  },
  billing: {
    goes: 2.5,
    cell: ({ billing }: Compaction) => <span class="quiet">{billing ?? <None />}</span>,
  },
  readAgain: { cell: (row: Compaction) => <ReadAgain row={row} /> },
  net: {
    cell: (row: Compaction) => <Net row={row} />,
    csv: ({ netNanoUsd }: Compaction) => exactOf(netNanoUsd),
    unit: 'USD',
  },
};

function exactOf(nanoUsd: string | null): string {
  return csvUsd(nanoUsd === null ? null : BigInt(nanoUsd));
}

function SummaryCost({ row }: { row: Compaction }): JSX.Element {
  if (row.kind === 'failure')
    return <span class="quiet">{row.aborted === true ? 'aborted' : 'failed'}</span>;
  if (row.costSource === 'unreported') return <span class="not-known">unreported</span>;
  return <Money {...costOf(row)} places={3} />;
}

function ReadAgain({ row: { regretReads, regretTokens } }: { row: Compaction }): JSX.Element {
  if (regretReads === null) return <NotKnown />;
  if (regretReads === 0) return <None />;
  return (
    <>
      {formatCount(regretReads)}{' '}
      <span class="quiet">
        <Marked mark="estimated">{shortCount(regretTokens ?? 0)}</Marked>
      </span>
    </>
  );
}

function Net({ row }: { row: Compaction }): JSX.Element {
  if (row.kind === 'branchSummary') return <span class="quiet">branch summary</span>;
  if (row.kind === 'failure') return <None />;
  const isLost = row.netNanoUsd !== null && BigInt(row.netNanoUsd) < 0n;
  return (
    <span class={isLost ? 'warn' : undefined}>
      <Money {...netOf(row)} isChange />
    </span>
  );
}
