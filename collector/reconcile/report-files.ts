/** Differences that are seen in the session files alone. */
import { type Difference, difference } from './difference.ts';
import type { FileFacts } from './files/file-facts.ts';
import type { FileSession } from './files/file-session.ts';
import { compressedSessionId, type SessionFile } from './files/session-files.ts';
import type { Findings } from './findings.ts';
import type { ReasonCode } from './reasons.ts';

/** What the files alone say of sessions: copies, unreadable lines, what counts nowhere. */
export function reportFiles({ sessions, problems }: FileFacts, findings: Findings): void {
  for (const session of sessions.values()) {
    const { sessionId, files, copies } = session;
    const shared = begunElsewhere(files);
    if (shared !== undefined)
      findings.add(sessionId, difference('id_shared', files.length, { file: shared.path }));
    for (const { reason, count } of specialUnits)
      if (session[count] > 0) findings.add(sessionId, difference(reason, session[count]));
    for (const [owner, count] of copies)
      findings.add(sessionId, difference('copied', count, { otherSessionId: owner }));
  }
  const sessionOfPath = new Map(
    [...sessions.values()].flatMap(({ sessionId, files }) =>
      files.map(({ path }) => [path, sessionId]),
    ),
  );
  for (const { path, line, reason, entryId, lines = 1 } of problems) {
    const sessionId = sessionOfPath.get(path);
    if (sessionId === undefined) continue;
    findings.add(
      sessionId,
      difference(reason, lines, {
        file: path,
        ...(line !== null && { line }),
        ...(entryId !== undefined && { entryId }),
      }),
    );
  }
}

const specialUnits = [
  { reason: 'private', count: 'privateUnits' },
  { reason: 'may_be_private', count: 'mayBePrivate' },
  { reason: 'other_agent', count: 'otherAgentsUnits' },
  { reason: 'lower_bound', count: 'lowerBounds' },
  { reason: 'summary_cost_unknown', count: 'unsaidSummaries' },
] as const satisfies readonly { reason: ReasonCode; count: keyof FileSession }[];

/** Another session with the id of the first: begun at another time, in another directory. */
function begunElsewhere([first, ...others]: readonly SessionFile[]): SessionFile | undefined {
  const { timeMs, cwd = null } = first?.header ?? {};
  if (cwd === null) return undefined;
  return others.find(
    ({ header }) => header.timeMs !== timeMs && header.cwd !== null && header.cwd !== cwd,
  );
}

interface Sessions {
  readonly sessions: Pick<ReadonlyMap<string, unknown>, 'has'>;
}

/** Files whose session is not even known; what was imported before it was compressed is not. */
export function leftOut({ sessions, problems }: FileFacts, log: Sessions): readonly Difference[] {
  const known = new Set(
    [...sessions.values()].flatMap(({ files }) => files.map(({ path }) => path)),
  );
  return problems
    .filter(({ path, reason }) => reason === 'file_left_out' && !known.has(path))
    .filter(({ path }) => !log.sessions.has(compressedSessionId(path) ?? ''))
    .map(({ path, reason }) => difference(reason, 1, { file: path }));
}
