import type { Session } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { ComponentChildren } from 'preact';
import { formatCount, formatShare } from '../../../format/count.ts';
import { csvUsd } from '../../../format/money.ts';
import { lastedMs, shortId } from '../../../format/session.ts';
import { amountOf, hasAmount } from '../../../format/spend.ts';
import { formatDuration, formatMoment } from '../../../format/time.ts';
import { Link } from '../../../parts/link.tsx';
import { NotKnown } from '../../../parts/marks.tsx';
import { MoneyOrNone } from '../../../parts/money.tsx';
import { Name } from '../../../parts/name.tsx';
import { ProjectBranch } from '../../../parts/project-branch.tsx';
import type { Column } from '../../../parts/table-column.ts';
import { counted } from '../../overview/counting.ts';

type Fills = ReadonlyMap<string, Session['context']>;

/** `rows`: an unknown billing has a column where it occurs. */
export function columnsOf(
  today: string,
  rows: readonly Session[],
  fills: Fills,
  isCounting: boolean,
): readonly Column<Session>[] {
  const spent = (billing: Billing, head: string) => spentOf(billing, head, isCounting);
  const hasUnknown = hasAmount(rows, 'unknown');
  return [
    ...whose,
    ...when(today),
    count('turns', 'Turns'),
    { ...count('compactions', 'Compactions'), goes: 'first' },
    ofThreshold(fills),
    spent('metered', 'Metered'),
    spent('subscription', 'Subscription'),
    ...(hasUnknown ? [spent('unknown', 'Billing unknown')] : []),
  ];
}

const whose: readonly Column<Session>[] = [
  {
    name: 'session',
    head: 'Session',
    cell: ({ id, relation, agentName }) => (
      <>
        <Link view="sessions" id={id} class="plain mono">
          {shortId(id)}
        </Link>
        {relation !== null && <span class="quiet"> {relation}</span>}
        {relation === 'subagent' && agentName !== null && (
          <span class="quiet">
            {' '}
            <Name of={agentName} charsMax={20} />
          </span>
        )}
      </>
    ),
    csv: ({ id }) => id,
  },
  {
    name: 'project',
    head: 'Project, branch',
    cell: ({ project, branch }) => <ProjectBranch {...{ project, branch }} />,
    csv: ({ project, branch }) => [project, branch].filter((name) => name !== null).join(' / '),
  },
  {
    name: 'user',
    head: 'Person',
    goes: 'second',
    cell: ({ user }) => <Name of={user} />,
    csv: ({ user }) => user ?? '',
  },
];

const when = (today: string): readonly Column<Session>[] => [
  {
    name: 'began',
    head: 'Began',
    goes: 'first',
    cell: ({ startedAt }) => formatMoment(startedAt, today),
    csv: ({ startedAt }) => startedAt,
  },
  {
    name: 'lastSeen',
    head: 'Last seen',
    goes: 'second',
    isDownOnly: true,
    cell: ({ lastSeenAt }) => formatMoment(lastSeenAt, today),
    sortBy: ({ lastSeenAt }) => lastSeenAt,
  },
  {
    name: 'lasted',
    head: 'Lasted',
    isNumber: true,
    goes: 'first',
    cell: (row) => formatDuration(lastedMs(row)),
    csv: (row) => String(lastedMs(row)),
  },
];

function count(name: 'turns' | 'compactions', head: string): Column<Session> {
  return {
    name,
    head,
    isNumber: true,
    goes: 'second',
    cell: (row) => formatCount(row[name]),
    csv: (row) => String(row[name]),
  };
}

/** How full the window is, of where the host compacts. */
function ofThreshold(fills: Fills): Column<Session> {
  return {
    name: 'ofThreshold',
    head: 'Of threshold',
    isNumber: true,
    goes: 'first',
    cell: ({ id }) => (fills.has(id) ? shareOf(fills.get(id)) : ''),
    csv: ({ id }) => {
      const fill = fills.get(id);
      return fill?.heldTokens == null || fill.thresholdTokens === null
        ? ''
        : String(fill.heldTokens / fill.thresholdTokens);
    },
  };
}

function shareOf(fill: Session['context']): ComponentChildren {
  if (fill?.heldTokens == null || fill.thresholdTokens === null) return <NotKnown />;
  return (
    <span title={`${formatCount(fill.heldTokens)} of ${formatCount(fill.thresholdTokens)} tokens`}>
      {formatShare(fill.heldTokens, fill.thresholdTokens)}
    </span>
  );
}

/** The API sorts by one kind of billing alone, over all pages. */
function spentOf(billing: Billing, head: string, isCounting: boolean): Column<Session> {
  return {
    name: billing,
    head,
    isNumber: true,
    isDownOnly: true,
    cell: (row) => <MoneyOrNone {...counted(amountOf(row, billing), isCounting)} />,
    sortBy: (row) => amountOf(row, billing).nanoUsd,
    csv: (row) => csvUsd(amountOf(row, billing).nanoUsd),
  };
}
