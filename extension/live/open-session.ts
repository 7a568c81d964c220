/** What is known of a session when this process first sees it. */
import { parentageOf } from '../attribution/parentage.ts';
import type { Contents } from '../content/contents.ts';
import type { EntryList, HostSession } from '../host/session.ts';
import type { SubagentParent } from '../record/entry-draft.ts';
import { asText } from '../record/fields.ts';
import { privacyBefore } from './privacy.ts';
import { newSessionState, type SessionState } from './session-state.ts';

export interface Opening {
  readonly sessions: readonly SessionState[];
  /** The parent, if this process is a subagent. */
  readonly parent: SubagentParent | null;
  readonly openedMonotonicMs: number;
  readonly contents: Contents | null;
}

export function openSession(
  host: HostSession,
  entries: EntryList,
  { sessions, parent, openedMonotonicMs, contents }: Opening,
): SessionState {
  const [header, file, agentName] = [host.header(), host.file(), agentNameIn(entries)];
  const parentage = parentageOf({ file, header, agentName, sessions, ofProcess: parent });
  const contentOf = contents === null ? null : contents.of;
  const opened = { id: host.id, header, file, agentName, parentage, openedMonotonicMs, contentOf };
  const state = newSessionState(opened);
  state.privacy = privacyBefore(entries, entries.length);
  return state;
}

/** A subagent of a paused session, or, if it is new, a fork of one. */
export function isOfPrivate(
  { parentage, header }: SessionState,
  sessions: readonly SessionState[],
  { isNew, forkedFrom }: { readonly isNew: boolean; readonly forkedFrom: string | null },
): boolean {
  const from = isNew ? (header?.parentSession ?? forkedFrom) : null;
  const isFrom = ({ id, file }: SessionState) => from !== null && (id === from || file === from);
  return sessions.some(
    (session) =>
      session.privacy === 'paused' && (session.id === parentage.parentSessionId || isFrom(session)),
  );
}

/** omp records near the top of a subagent's session which agent it is. */
function agentNameIn(entries: EntryList): string | null {
  for (let index = 0; index < Math.min(entries.length, 20); index += 1) {
    const entry = entries.at(index);
    if (entry?.type === 'session_init') return asText(entry.body.agent);
  }
  return null;
}
