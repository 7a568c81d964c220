/** What a subagent recorded itself, told to its parent, so that what the parent claims of it does not count twice. */
import type { Spend } from '@pi-ledger/contract';
import type { EventDraft } from './draft.ts';
import { type Entry, messageOf } from './entry.ts';
import { entryDraft, type Session } from './entry-draft.ts';
import { asString } from './fields.ts';
import { responseKeyOf } from './subagent.ts';

type SubagentAccounted = EventDraft<'pi.subagent.accounted.v1'>;

/** An answer. `spend` is that of its own record. Nothing in a session without a parent. */
export function recordAccount(session: Session, entry: Entry, spend: Spend): readonly SubagentAccounted[] {
  const { parent } = session;
  if (parent == null) return [];
  const message = messageOf(entry);
  const keys = isTurn(parent.key) ? [parent.key, responseKeyOf(message)] : [parent.key];
  return [accountDraft(session, entry, keys, spend, { responseId: asString(message.responseId), usage: message.usage })];
}

/** Nested model work of a tool: no sum that a parent is given has it in, but messages that it is given do. */
export function recordToolAccount(session: Session, entry: Entry, spend: Spend | null): readonly SubagentAccounted[] {
  if (session.parent == null || spend === null || !isTurn(session.parent.key)) return [];
  const message = messageOf(entry);
  return [accountDraft(session, entry, [responseKeyOf(message)], spend, { responseId: null, usage: message.usage })];
}

/** What this session claims itself, under the key that its parent would claim it by. `said` tells the claim from others of the entry. */
export function recordForwarded(session: Session, entry: Entry, key: string, said: object, claimed: Spend): readonly SubagentAccounted[] {
  const { parent } = session;
  if (parent == null || (isTurn(key) && !isTurn(parent.key))) return [];
  return [accountDraft(session, entry, [isTurn(key) ? parent.key : key], claimed, { responseId: null, usage: said })];
}

function accountDraft(
  session: Session,
  entry: Entry,
  keys: string[],
  spend: Spend,
  identity: { responseId: string | null; usage: unknown },
): SubagentAccounted {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens, reported, costNanoUsd } = spend;
  const data = {
    childSessionId: session.id,
    childEntryId: entry.key,
    keys,
    accounted: { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens, reported, costNanoUsd },
  };
  const parentId = session.parent?.sessionId ?? session.id;
  return entryDraft('pi.subagent.accounted.v1', { id: parentId, cwd: null }, entry, data, {
    ...identity,
    usage: { parent: parentId, usage: identity.usage },
  });
}

function isTurn(key: string): boolean {
  return key.startsWith('turn:');
}
