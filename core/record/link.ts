/**
 * Ties between a tool result and the sessions of the subagents that it is about. pi's packages
 * write down what a subagent spent in places of their own, and keep its session; both ends say here
 * what that session may be called (`ref`), so that they meet in the parent's document. A result
 * that says what was spent also tells which run of which subagent that was, since it may be
 * collected again.
 */
import type { EventDraft } from './draft.ts';
import { type Entry, entryMessage, type Header } from './entry.ts';
import { entryDraft, type RecordedSession } from './entry-draft.ts';
import { asList, asObject, asString, asText, type JsonObject } from './fields.ts';
import { sha256Hex } from './identity/sha256.ts';
import type { PathState } from './path-state.ts';
import { runRef } from './run-ref.ts';
import { sessionIdOfFile } from './session.ts';

type SubagentLinked = EventDraft<'pi.subagent.linked.v1'>;

/** More subagents of one tool result are left out. */
const linksMax = 200;
/** Enough to tell a run's folder: `<run>/run-0/session.jsonl`. */
const partsOfFile = 3;
const refCharsMax = 500;

/** The sessions that a tool result names, by their file or by their id, and their runs. */
export function recordLinks(
  session: RecordedSession,
  entry: Entry,
  above: Pick<PathState, 'toolCalls'>,
): readonly SubagentLinked[] {
  const message = entryMessage(entry);
  const named = namedIn(asObject(message.details) ?? {});
  const others = named.filter(({ ref }) => ref !== sessionRef(session.id));
  return [named, runsIn(message, others, above)].flatMap((links) =>
    [...new Map(links.map((each) => [each.ref, each])).values()]
      .slice(0, linksMax)
      .map(({ ref, agentName }) =>
        entryDraft(
          'pi.subagent.linked.v1',
          session,
          entry,
          { entryId: entry.key, childSessionId: null, ref, agentName },
          { responseId: null, usage: { ref } },
        ),
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

interface NamedSession extends Named {
  /** By its file. */
  readonly isFile: boolean;
}

/**
 * Where a result names no session, the agent's id helps. An id alone may be that of anything, such
 * as a browser's session, for a tool that spends the same each time.
 */
function runsIn(
  { usage, toolCallId, details: said }: JsonObject,
  named: readonly NamedSession[],
  { toolCalls }: Pick<PathState, 'toolCalls'>,
): readonly Named[] {
  const details = asObject(said) ?? {};
  const results = asList(details.results).map((each) => asObject(each) ?? {});
  if (asObject(usage) === null && !results.some(isSum)) return [];
  const runId = asText(details.runId);
  const agentId =
    asText(details.agentId) ?? toolCalls.find(({ id }) => id === toolCallId)?.agentId ?? null;
  const subagents = named.filter(isSubagent).map(({ ref }) => ref);
  if (subagents.length === 0 && agentId !== null) subagents.push(agentId);
  return subagents.map((subagent) => ({
    ref: runRef(sha256Hex(`${runId} ${subagent}`).slice(0, 16), runId !== null),
    agentName: null,
  }));
}

/** Answers that it repeats are claimed one by one. */
function isSum({ usage, messages }: JsonObject): boolean {
  return asObject(usage) !== null && asList(messages).length === 0;
}

function isSubagent({ agentName, isFile }: NamedSession): boolean {
  return isFile || agentName !== null;
}

function namedIn(details: JsonObject): readonly NamedSession[] {
  return [details, ...asList(details.results).map((result) => asObject(result) ?? {})].flatMap(
    (result) => {
      const agentName = asText(result.agent);
      const id = asText(result.sessionId) ?? asText(asObject(result.session)?.id);
      const byFile = fileRef(asString(result.sessionFile) ?? '');
      const refs = [byFile, id === null ? null : sessionRef(id)];
      const isFile = byFile !== null;
      return refs.flatMap((ref) => (ref === null ? [] : [{ ref, agentName, isFile }]));
    },
  );
}
