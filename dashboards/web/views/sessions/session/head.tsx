import type { SessionDetails, Timeline } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { shortId } from '../../../format/session.ts';
import { formatClock, formatMoment, localDay } from '../../../format/time.ts';
import { Link } from '../../../parts/link.tsx';
import { Name } from '../../../parts/name.tsx';
import { unknownId } from '../../../state/place-id.ts';
import type { Today } from '../../view.ts';
import { counted, privateWords } from './words.ts';

export interface SessionHeadProps {
  readonly details: SessionDetails;
  readonly timeline: Timeline | null;
  readonly today: Today;
}

const fromParent = { fork: 'forked from ', subagent: 'subagent of ', child: 'begun from ' };

/** Whose it is, where, and when. */
export function SessionHead({ details, timeline, today }: SessionHeadProps): JSX.Element {
  const { id, project, branch, user, machine, host, hostVersion, copies } = details;
  return (
    <div class="view-head">
      <h1>
        Session <code title={id}>{shortId(id)}</code>
      </h1>
      <span class="note">
        <Link view="projects" id={project ?? unknownId}>
          <Name of={project} />
        </Link>
        {branch !== null && (
          <>
            {' / '}
            <Name of={branch} />
          </>
        )}
        {' · '}
        <Name of={user} /> on <Name of={machine} />
        {' · '}
        {host ?? 'host unknown'} {hostVersion !== null && <Name of={hostVersion} />}
        {' · '}
        {whenWords(details, today)}
        {' · '}
        {copies.length === 0 ? 'no copies' : counted(copies.length, 'copy', 'copies')}
        {details.parentSessionId !== null && (
          <>
            {' · '}
            {fromParent[details.relation ?? 'child']}
            <Link view="sessions" id={details.parentSessionId}>
              <code>{shortId(details.parentSessionId)}</code>
            </Link>
          </>
        )}
        {timeline !== null && timeline.subagents > 0 && (
          <>
            {' · '}
            <a class="link" href="#tree">
              {counted(timeline.subagents, 'subagent')}
            </a>
          </>
        )}
        {details.attribution === 'import' && ' · read from its file'}
        {privateWords(details.private).map((words) => ` · ${words}`)}
      </span>
      <span class="end">
        {details.older !== null && (
          <Link view="sessions" id={details.older}>
            Previous
          </Link>
        )}
        {details.newer !== null && (
          <Link view="sessions" id={details.newer}>
            Next
          </Link>
        )}
      </span>
    </div>
  );
}

function whenWords({ startedAt, lastSeenAt }: SessionDetails, today: Today): string {
  const [start, end] = [new Date(startedAt), new Date(lastSeenAt)];
  const until =
    localDay(start) === localDay(end) ? formatClock(end) : formatMoment(lastSeenAt, today.day);
  return `${formatMoment(startedAt, today.day)} to ${until}`;
}
