import type { Session } from '@pi-ledger/contract/answers';
import type { ComponentChildren } from 'preact';
import { sessionTable } from '../../../../../contract/answers/sessions/columns.ts';
import { formatCount, formatShare } from '../../../format/count.ts';
import { lastedMs, shortId } from '../../../format/session.ts';
import { formatDuration } from '../../../format/time.ts';
import { pageColumns } from '../../../parts/answer-columns.tsx';
import { Link } from '../../../parts/link.tsx';
import { NotKnown } from '../../../parts/marks.tsx';
import { Name } from '../../../parts/name.tsx';
import { ProjectBranch, projectGoes } from '../../../parts/project-branch.tsx';
import type { Column } from '../../../parts/table-column.ts';
import { isSortedByApi } from '../asks.ts';

type Fills = ReadonlyMap<string, Session['context']>;

export function columnsOf(
  today: string,
  rows: readonly Session[],
  fills: Fills,
  isCounting: boolean,
): readonly Column<Session>[] {
  const cells = { session, project, lasted, ofThreshold: ofThreshold(fills) };
  return pageColumns(sessionTable, { rows, today, isCounting, cells }).map((column) =>
    isSortedByApi(column.name) ? { ...column, isDownOnly: true } : column,
  );
}

const session = {
  cell: ({ id, relation, agentName }: Session) => (
    <>
      <Link view="sessions" id={id} class="plain mono">
        {shortId(id)}
      </Link>
      {relation !== null && <span class="quiet goes-second"> {relation}</span>}
      {relation === 'subagent' && agentName !== null && (
        <span class="quiet goes-second">
          {' '}
          <Name of={agentName} charsMax={20} />
        </span>
      )}
    </>
  ),
};

const project = {
  head: 'Project, branch',
  goes: projectGoes,
  cell: (row: Session) => <ProjectBranch project={row.project} branch={row.branch} />,
  facts: [
    { name: 'project', sortBy: (row: Session) => row.project },
    { name: 'branch', sortBy: (row: Session) => row.branch },
  ],
};

const lasted = {
  cell: (row: Session) => formatDuration(lastedMs(row)),
  sortBy: lastedMs,
  unit: 'ms',
};

/** How full the window is, of where the host compacts. */
function ofThreshold(fills: Fills) {
  return {
    cell: ({ id }: Session) => (fills.has(id) ? shareOf(fills.get(id)) : ''),
    facts: [
      {
        name: 'ofThreshold',
        unit: 'share',
        csv({ id }: Session) {
          const fill = fills.get(id);
          return fill?.heldTokens == null || fill.thresholdTokens === null
            ? ''
            : String(fill.heldTokens / fill.thresholdTokens);
        },
      },
    ],
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
