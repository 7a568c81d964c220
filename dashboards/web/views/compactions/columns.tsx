/** The columns of the audit. Money is of several kinds here: no column of it sorts rows. */

import type { Compaction } from '@pi-ledger/contract/answers';
import type { ComponentChildren, JSX } from 'preact';
import { formatCount, shortCount } from '../../format/count.ts';
import { csvUsd } from '../../format/money.ts';
import { shortId } from '../../format/session.ts';
import { formatMoment } from '../../format/time.ts';
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

export function columnsOf(options: ColumnOptions): readonly Column<Compaction>[] {
  const { today, tokensMax, openId, onStory } = options;
  return [
    {
      name: 'when',
      head: 'When',
      cell: ({ id, time }) => (
        <button
          type="button"
          aria-expanded={id === openId}
          onClick={() => onStory(id === openId ? null : id)}
        >
          {formatMoment(time, today)}
        </button>
      ),
      sortBy: ({ time }) => time,
    },
    {
      name: 'session',
      head: 'Session',
      goes: 'second',
      cell: ({ session }) => (
        <Link view="sessions" id={session} class="mono">
          {shortId(session)}
        </Link>
      ),
      csv: ({ session }) => session,
    },
    {
      name: 'project',
      head: 'Project',
      goes: 'second',
      cell: ({ project }) => <Name of={project} />,
      sortBy: ({ project }) => project,
    },
    {
      name: 'model',
      head: 'Model',
      goes: 'first',
      cell: (row) => (row.kind === 'failure' ? <None /> : <Name of={row.model} />),
      sortBy: ({ model }) => model,
    },
    {
      name: 'before',
      head: 'Before',
      isNumber: true,
      goes: 'second',
      cell: ({ tokensBefore }) => <Count of={tokensBefore} />,
      sortBy: ({ tokensBefore }) => tokensBefore,
    },
    {
      name: 'range',
      head: `0 to ${shortCount(tokensMax)} tokens`,
      goes: 'second',
      cell: (row) => <RangeMark row={row} tokensMax={tokensMax} />,
      csv: ({ savedTokens }) => String(savedTokens ?? ''),
    },
    {
      name: 'after',
      head: 'After',
      isNumber: true,
      goes: 'second',
      cell: ({ tokensAfterMeasured }) => <Count of={tokensAfterMeasured} />,
      sortBy: ({ tokensAfterMeasured }) => tokensAfterMeasured,
    },
    {
      name: 'summaryCost',
      head: 'Summary cost',
      isNumber: true,
      cell: (row) => <SummaryCost row={row} />,
      csv: ({ costNanoUsd }) => exactOf(costNanoUsd),
    },
    {
      name: 'billing',
      head: 'Billing',
      goes: 'first',
      cell: ({ billing }) => <span class="quiet">{billing ?? <None />}</span>,
      sortBy: ({ billing }) => billing,
    },
    {
      name: 'turnsAfter',
      head: 'Turns after',
      isNumber: true,
      goes: 'first',
      cell: ({ turnsAfter }) => <Count of={turnsAfter} />,
      sortBy: ({ turnsAfter }) => turnsAfter,
    },
    {
      name: 'readAgain',
      head: 'Read again',
      isNumber: true,
      goes: 'first',
      cell: (row) => <ReadAgain row={row} />,
      sortBy: ({ regretReads }) => regretReads,
    },
    {
      name: 'net',
      head: 'Net',
      isNumber: true,
      cell: (row) => <Net row={row} />,
      csv: ({ netNanoUsd }) => exactOf(netNanoUsd),
    },
  ];
}

function exactOf(nanoUsd: string | null): string {
  return csvUsd(nanoUsd === null ? null : BigInt(nanoUsd));
}

function Count({ of }: { of: number | null }): ComponentChildren {
  return of === null ? <NotKnown /> : formatCount(of);
}

function SummaryCost({ row }: { row: Compaction }): JSX.Element {
  if (row.kind === 'failure')
    return <span class="quiet">{row.aborted === true ? 'aborted' : 'failed'}</span>;
  if (row.costSource === 'unreported') return <span class="not-known">unreported</span>;
  return (
    <>
      <Money {...costOf(row)} places={3} />
      {row.billing === 'subscription' && <span class="quiet"> sub.</span>}
    </>
  );
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
