/**
 * Ties between a tool result and the sessions of the subagents that it is about. pi's packages
 * write down what a subagent spent in places of their own, and keep its session; both ends say here
 * what that session may be called (`ref`), so that they meet in the parent's document.
 */
import type { EventDraft } from './draft.ts';
import { type Entry, entryMessage, type Header } from './entry.ts';
import { entryDraft, type RecordedSession } from './entry-draft.ts';
import { asList, asObject, asString, asText, type JsonObject } from './fields.ts';
import { sessionIdOfFile } from './session.ts';

type SubagentLinked = EventDraft<'pi.subagent.linked.v1'>;

/** More subagents of one tool result are left out. */
const linksMax = 200;
/** Enough to tell a run's folder: `<run>/run-0/session.jsonl`. */
const partsOfFile = 3;
const refCharsMax = 500;

/** The sessions that a tool result names: by their file, or by their id. */
export function recordLinks(session: RecordedSession, entry: Entry): readonly SubagentLinked[] {
  const details = asObject(entryMessage(entry).details);
  if (details === null) return [];
  const named = new Map(namedIn(details).map((each) => [each.ref, each]));
  return [...named.values()]
    .slice(0, linksMax)
    .map(({ ref, agentName }) =>
      entryDraft(
        'pi.subagent.linked.v1',
        session,
        entry,
        { entryId: entry.key, childSessionId: null, ref, agentName },
        { responseId: null, usage: { ref } },
      ),
    );
}

/** What the subagent with this header may be called by its parent. */
export function linkChild(header: Header, parentSessionId: string, ref: string): SubagentLinked {
  return entryDraft(
    'pi.subagent.linked.v1',
    { id: parentSessionId, cwd: null },
    header,
    { entryId: null, childSessionId: header.id, ref, agentName: null },
    { responseId: null, usage: { parent: parentSessionId, ref } },
  );
}

/** Says of a tool result that does not name its subagent which one it is about. */
export function linkResult(
  parentSessionId: string,
  result: Pick<Entry, 'id' | 'timestamp'>,
  childSessionId: string,
): SubagentLinked {
  const ref = sessionRef(childSessionId);
  return entryDraft(
    'pi.subagent.linked.v1',
    { id: parentSessionId, cwd: null },
    result,
    { entryId: result.id, childSessionId: null, ref, agentName: null },
    { responseId: null, usage: { ref } },
  );
}

export function sessionRef(sessionId: string): string {
  return `session:${sessionId}`.slice(0, refCharsMax);
}

/**
 * The session's id where the file's name has it; else the end of its path, which stays when the
 * directory is moved or copied. Null for what is no session file.
 */
export function fileRef(path: string): string | null {
  if (!/\.jsonl$/i.test(path)) return null;
  const id = sessionIdOfFile(path);
  if (id !== null) return sessionRef(id);
  const parts = path.split(/[\\/]/).filter((part) => part !== '');
  return `file:${parts.slice(-partsOfFile).join('/')}`.slice(0, refCharsMax);
}

/** Equal for names that a file system may take for each other: another Unicode form or case. */
export function normalizeName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

interface Named {
  readonly ref: string;
  readonly agentName: string | null;
}

function namedIn(details: JsonObject): readonly Named[] {
  return [details, ...asList(details.results).map((result) => asObject(result) ?? {})].flatMap(
    (result) => {
      const agentName = asText(result.agent);
      const id = asText(result.sessionId) ?? asText(asObject(result.session)?.id);
      const byFile = fileRef(asString(result.sessionFile) ?? '');
      const refs = [byFile, id === null ? null : sessionRef(id)];
      return refs.flatMap((ref) => (ref === null ? [] : [{ ref, agentName }]));
    },
  );
}
