/** What results of tools tell of subagents: their names, their answers, and what they used. */
import { recordClaims } from '@pi-ledger/core/record/claim';
import { type Entry, entryMessage, entryRole } from '@pi-ledger/core/record/entry';
import type { RecordedSession } from '@pi-ledger/core/record/entry-draft';
import {
  asCount,
  asList,
  asObject,
  asString,
  type JsonObject,
} from '@pi-ledger/core/record/fields';
import { fileRef, recordLinks } from '@pi-ledger/core/record/link';
import { rootState } from '@pi-ledger/core/record/path-state';
import { isRunRef } from '@pi-ledger/core/record/run-ref';

export interface StretchTokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export function tokensText({ input, output, cacheRead, cacheWrite }: StretchTokens): string {
  return `${input},${output},${cacheRead},${cacheWrite}`;
}

/** Returns null for usage of no tokens. */
export function tokensIn(value: unknown): StretchTokens | null {
  const usage = asObject(value);
  const tokens = {
    input: asCount(usage?.input) ?? 0,
    output: asCount(usage?.output) ?? 0,
    cacheRead: asCount(usage?.cacheRead) ?? 0,
    cacheWrite: asCount(usage?.cacheWrite) ?? 0,
  };
  return Object.values(tokens).some((count) => count > 0) ? tokens : null;
}

export interface NamedRun {
  /** `file:<end of its path>` */
  readonly ref: string;
  readonly tokens: string;
}

/** What a tool's result tells of subagents. It counts for any of them if it names none. */
export function toldBy(session: RecordedSession, entry: Entry) {
  if (entryRole(entry) !== 'toolResult')
    return { refs: [], saysSpend: false, answers: [], usages: [], namedRuns: [] };
  const refs = recordLinks(session, entry, rootState)
    .map(({ data }) => data.ref)
    .filter((ref) => !isRunRef(ref));
  const claims = recordClaims(session, entry, rootState).flatMap((draft) =>
    draft.type === 'pi.subagent.claimed.v1' ? [draft.data] : [],
  );
  const answers = claims.map(({ key }) => key).filter((key) => key.startsWith('response:'));
  const sums = claims
    .filter(({ key }) => key.startsWith('turn:'))
    .map(({ claimed: { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } }) => ({
      input: inputTokens,
      output: outputTokens,
      cacheRead: cacheReadTokens,
      cacheWrite: cacheWriteTokens,
    }));
  const usage = tokensIn(entryMessage(entry).usage);
  const usages = [...sums, ...(usage === null ? [] : [usage])].map(tokensText);
  const namedRuns = namedRunsIn(entryMessage(entry));
  const saysSpend = usages.length + answers.length > 0;
  return { refs, saysSpend, answers, usages: refs.length > 0 ? [] : usages, namedRuns };
}

function namedRunsIn({ details, usage }: JsonObject): readonly NamedRun[] {
  const whole = asObject(details) ?? {};
  const named = [whole, ...asList(whole.results).map((result) => asObject(result) ?? {})].flatMap(
    (result) => {
      const ref = fileRef(asString(result.sessionFile) ?? '');
      return ref?.startsWith('file:') === true ? [{ ref, used: tokensIn(result.usage) }] : [];
    },
  );
  const ofAll = named.length === 1 ? tokensIn(usage) : null;
  return named.flatMap(({ ref, used }) => {
    const tokens = used ?? ofAll;
    return tokens === null ? [] : [{ ref, tokens: tokensText(tokens) }];
  });
}
