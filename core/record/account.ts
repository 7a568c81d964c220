/**
 * A subagent's own records, accounted to its parent so that the parent's claims about it do not
 * count twice.
 */
import type { Spend } from '@pi-ledger/contract';
import type { EventDraft } from './draft.ts';
import { type Entry, entryMessage } from './entry.ts';
import { entryDraft, type RecordedSession, type SubagentParent } from './entry-draft.ts';
import { asString } from './fields.ts';
import { responseKeyOf } from './subagent.ts';

/** The contract's limit for a name. */
const keyCharsMax = 500;

type SubagentAccounted = EventDraft<'pi.subagent.accounted.v1'>;

/** For an answer; `spend` is that of its own record. Empty in a session without a parent. */
export function recordAccount(
  session: RecordedSession,
  entry: Entry,
  spend: Spend,
): readonly SubagentAccounted[] {
  const { parent } = session;
  if (parent == null) return [];
  const message = entryMessage(entry);
  const keys = isAgent(parent.key) ? [parent.key] : [parent.key, responseKeyOf(message)];
  return [
    accountDraft(session, parent, entry, {
      keys,
      spend,
      responseId: asString(message.responseId),
      usage: message.usage,
    }),
  ];
}

/**
 * For nested model work of a tool: sums given to the parent do not include it, but messages given
 * to it do.
 */
export function recordToolAccount(
  session: RecordedSession,
  entry: Entry,
  spend: Spend | null,
): readonly SubagentAccounted[] {
  const { parent } = session;
  if (parent == null || spend === null || isAgent(parent.key)) return [];
  const message = entryMessage(entry);
  return [
    accountDraft(session, parent, entry, {
      keys: [responseKeyOf(message)],
      spend,
      responseId: null,
      usage: message.usage,
    }),
  ];
}

/**
 * For what the host spends beside answers (compactions, summaries, warming of the cache). Sums
 * given to the parent may include it or not.
 */
export function recordBesideAccounts(
  session: RecordedSession,
  entry: Entry,
  drafts: readonly EventDraft[],
): readonly SubagentAccounted[] {
  const { parent } = session;
  if (parent == null || isAgent(parent.key)) return [];
  return drafts.flatMap((draft) => {
    const spend = spentBeside(draft);
    if (spend === null || !spend.reported) return [];
    const keys = [`beside:${session.id}`.slice(0, keyCharsMax)];
    const told = { keys, spend, responseId: spend.responseId, usage: spend.rawUsage };
    return [accountDraft(session, parent, entry, told)];
  });
}

function spentBeside({ type, data }: EventDraft): Spend | null {
  if (type === 'pi.compaction.completed.v1' || type === 'pi.branch.summarized.v1')
    return data.spend;
  return type === 'pi.usage.recorded.v1' && data.kind !== 'tool' ? data.spend : null;
}

/**
 * For this session's own claims, under the key that its parent would use. `said` distinguishes the
 * claim from others of the entry.
 */
export function recordForwarded(
  session: RecordedSession,
  entry: Entry,
  key: string,
  said: object,
  claimed: Spend,
): readonly SubagentAccounted[] {
  const { parent } = session;
  if (parent == null || (isTurn(key) && isAgent(parent.key))) return [];
  const keys = [isTurn(key) ? parent.key : key];
  return [
    accountDraft(session, parent, entry, { keys, spend: claimed, responseId: null, usage: said }),
  ];
}

interface Told {
  readonly keys: string[];
  readonly spend: Spend;
  readonly responseId: string | null;
  readonly usage: unknown;
}

function accountDraft(
  session: RecordedSession,
  parent: SubagentParent,
  entry: Entry,
  told: Told,
): SubagentAccounted {
  const { keys, spend, responseId, usage } = told;
  const {
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens,
    reported,
    costNanoUsd,
  } = spend;
  const accounted = {
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens,
    reported,
    costNanoUsd,
  };
  const data = { childSessionId: session.id, childEntryId: entry.key, keys, accounted };
  const named = parent.isOtherName === true ? { key: parent.key } : {};
  const identity = { responseId, usage: { parent: parent.sessionId, ...named, usage } };
  return entryDraft(
    'pi.subagent.accounted.v1',
    { id: parent.sessionId, cwd: null },
    entry,
    data,
    identity,
  );
}

function isTurn(key: string): boolean {
  return key.startsWith('turn:');
}

/** omp's task results give one sum for each subagent, by its name. */
function isAgent(key: string): boolean {
  return key.startsWith('agent:');
}
