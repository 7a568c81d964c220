/** What is known of a session when this process first sees it. */
import type { Contents } from '../../core/content/contents.ts';
import { agentNameIn } from '../../core/record/agent-name.ts';
import type { Header } from '../../core/record/entry.ts';
import type { SubagentParent } from '../../core/record/entry-draft.ts';
import { asText } from '../../core/record/fields.ts';
import { headerOfFile } from '../attribution/file-header.ts';
import { findParentage } from '../attribution/parentage.ts';
import type { Fork } from '../host/events.ts';
import type { EntryList, HostSession } from '../host/session.ts';
import { privacyBefore } from './privacy.ts';
import { newSessionState, type SessionState } from './session-state.ts';
import { findStarter, type Starter } from './starter.ts';

export interface Opening {
  readonly sessions: readonly SessionState[];
  /** The parent, if this process is a subagent. */
  readonly parent: SubagentParent | null;
  /** The session of this process that started it. */
  readonly starter: Starter | null;
  readonly openedMonotonicMs: number;
  readonly contents: Contents | null;
}

export function openSession(
  host: HostSession,
  entries: EntryList,
  { sessions, parent, starter, openedMonotonicMs, contents }: Opening,
): SessionState {
  const [header, file, agentOfOmp] = [host.header(), host.file(), agentNameAtStart(entries)];
  const parentage = findParentage({
    file,
    header,
    agentName: agentOfOmp,
    sessions,
    starter,
    ofProcess: parent,
    headerOfFile: (path) => headerOfOpen(path, sessions) ?? headerOfFile(path),
  });
  const agentName = agentOfOmp ?? packageNameIn(entries);
  const contentOf = contents === null ? null : contents.of;
  const opened = { id: host.id, header, file, agentName, parentage, openedMonotonicMs, contentOf };
  const state = newSessionState(opened);
  state.privacy = privacyBefore(entries, entries.length);
  return state;
}

/**
 * A subagent of a paused session, or of a tool that was called in one; or, if the host says so, a
 * fork of one. A header that names a paused session is not enough: hosts write that also into a
 * next session, which copies nothing.
 */
export function isOfPrivate(
  { parentage, header }: SessionState,
  sessions: readonly SessionState[],
  { starter, fork }: { readonly starter: Starter | null; readonly fork: Fork | null },
): boolean {
  if (starter?.isPrivate === true) return true;
  const from = fork === null ? null : (header?.parentSession ?? fork.from);
  const isFrom = ({ id, file }: SessionState) => from !== null && (id === from || file === from);
  return sessions.some(
    (session) =>
      session.privacy === 'paused' && (session.id === parentage.parentSessionId || isFrom(session)),
  );
}

function headerOfOpen(path: string, sessions: readonly SessionState[]): Header | null {
  return sessions.find(({ file }) => file === path)?.header ?? null;
}

/** Entries that may tell which agent a session is of. */
const firstEntries = 20;

/** omp records near the top of a subagent's session which agent it is. */
function agentNameAtStart(entries: EntryList): string | null {
  for (let index = 0; index < Math.min(entries.length, firstEntries); index += 1) {
    if (entries.typeAt(index) === 'session_init') return asText(entries.at(index)?.body.agent);
  }
  return null;
}

/** Packages name the session after the agent. */
function packageNameIn(entries: EntryList): string | null {
  for (let index = 0; index < Math.min(entries.length, firstEntries); index += 1) {
    const entry = entries.typeAt(index) === 'session_info' ? entries.at(index) : undefined;
    const name = entry === undefined ? null : agentNameIn(entry);
    if (name !== null) return name;
  }
  return null;
}

/** Returns null for the first session, which nothing here can have started. */
export function starterAmong(
  ...[sessions, header, cause]: Parameters<typeof findStarter>
): Starter | null {
  return sessions.length === 0 ? null : findStarter(sessions, header, cause);
}
