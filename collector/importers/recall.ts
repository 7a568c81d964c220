/**
 * Subagents whose parents became known after their files were deleted: the log replaces the second
 * reading of the file that would account for them.
 *
 * Guarantees: the events equal those of a reading, down to the id, as far as the log has the file's
 * content. Does not know what was deleted from the log (sealed), or came before `imports.db` was
 * started.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import { recordAccount, recordForwarded, recordToolAccount } from '@pi-ledger/core/record/account';
import type { EventDraft } from '@pi-ledger/core/record/draft';
import { type Entry, parseTimeMs } from '@pi-ledger/core/record/entry';
import type { RecordedSession, SubagentParent } from '@pi-ledger/core/record/entry-draft';
import { canonicalJson } from '@pi-ledger/core/record/identity/canonical-json';
import { entryEventId } from '@pi-ledger/core/record/identity/event-id';
import { withOrchestration } from '@pi-ledger/core/record/orchestration';

/** A session and the parent to tell of its answers. */
export interface Recalled {
  readonly sessionId: string;
  readonly parent: SubagentParent;
  /**
   * How many milliseconds after the old attribution the session is attributed again, because it was
   * taken for nobody's or another session's subagent. Null: it is not attributed again.
   */
  readonly attributedLaterMs: number | null;
}

export interface Recall {
  /** What follows from an event of the log. Call once for each event. */
  take(event: LedgerEvent): readonly EventDraft[];
  /** What is only known after the last event. */
  end(): readonly EventDraft[];
}

export function createRecall(wanted: readonly Recalled[]): Recall {
  const bySession = Map.groupBy(wanted, ({ sessionId }) => sessionId);
  const parents = new Set(wanted.map(({ parent }) => parent.sessionId));
  const tools: LedgerEvent<'pi.tool.completed.v1'>[] = [];
  const claims: LedgerEvent<'pi.subagent.claimed.v1'>[] = [];

  function takeEntry(event: LedgerEvent): readonly EventDraft[] {
    if (event.type === 'pi.subagent.claimed.v1' && parents.has(event.subject)) claims.push(event);
    if (
      event.type === 'pi.tool.completed.v1' &&
      event.data.spend !== null &&
      bySession.has(event.subject)
    )
      tools.push(event);
    return (bySession.get(event.subject) ?? []).flatMap((recalled) =>
      recallDrafts(event, recalled),
    );
  }

  return {
    take: (event) => takeEntry(event.type === 'pi.entry.moved.v1' ? movedEntry(event) : event),
    end: () =>
      tools.flatMap((tool) =>
        (bySession.get(tool.subject) ?? []).flatMap(({ sessionId, parent }) =>
          toolDrafts(tool, { id: sessionId, cwd: null, parent }, claims),
        ),
      ),
  };
}

/** The session that lost the entry once had it in a file. */
function movedEntry({ data, ...envelope }: LedgerEvent<'pi.entry.moved.v1'>): LedgerEvent {
  return {
    ...envelope,
    id: data.eventId,
    type: data.event.type,
    data: data.event.data,
  } as LedgerEvent;
}

function recallDrafts(
  event: LedgerEvent,
  { sessionId, parent, attributedLaterMs }: Recalled,
): readonly EventDraft[] {
  const session: RecordedSession = { id: sessionId, cwd: null, parent };
  if (event.type === 'pi.turn.completed.v1') {
    const { entryId, requestedAtMs, spend } = event.data;
    const message = {
      responseId: spend.responseId,
      timestamp: requestedAtMs,
      usage: spend.rawUsage,
    };
    return recordAccount(
      session,
      rebuildEntry(entryId, event.time, message),
      withOrchestration(spend),
    );
  }
  if (event.type === 'pi.subagent.claimed.v1') {
    const { entryId, key, claimed } = event.data;
    // The claim has a name of its own, under which it was told before.
    if (parent.isOtherName === true) return [];
    return recordForwarded(
      session,
      rebuildEntry(entryId, event.time, {}),
      key,
      saidIn(event),
      claimed,
    );
  }
  return event.type === 'pi.session.attributed.v1' && attributedLaterMs !== null
    ? attributed(event, parent, attributedLaterMs)
    : [];
}

function rebuildEntry(entryId: string, timestamp: string, message: Record<string, unknown>): Entry {
  return {
    id: entryId,
    key: entryId,
    parentId: null,
    type: 'message',
    timestamp,
    body: { message },
  };
}

const repeatsMax = 1_000;

/**
 * What distinguishes the claim from others of its entry. Its number among repeats is only in its
 * id.
 */
function saidIn({
  id,
  time,
  data: { entryId, key, claimed },
}: LedgerEvent<'pi.subagent.claimed.v1'>): object {
  const usage = claimed.rawUsage;
  const entry = { id: entryId, timestamp: time, timeMs: parseTimeMs(time) ?? 0 };
  for (let repeat = 0; key.startsWith('turn:') && repeat < repeatsMax; repeat += 1) {
    // The first has no number.
    const said = repeat === 0 ? { key, usage } : { key, usage, repeat };
    if (entryEventId('pi.subagent.claimed.v1', entry, { responseId: null, usage: said }) === id)
      return said;
  }
  return { key, usage };
}

/**
 * The key contains the message's own time, which is in no event, so it is taken from the parent's
 * claim of the same figures.
 */
function toolDrafts(
  { time, data: { entryId, spend } }: LedgerEvent<'pi.tool.completed.v1'>,
  session: RecordedSession,
  claims: LedgerEvent<'pi.subagent.claimed.v1'>[],
): readonly EventDraft[] {
  if (spend === null) return [];
  const usage = canonicalJson(spend.rawUsage);
  const index = claims.findIndex(({ subject, data }) => {
    const { key, claimed } = data;
    return (
      subject === session.parent?.sessionId &&
      key.startsWith('response:') &&
      canonicalJson(claimed.rawUsage) === usage
    );
  });
  const [claim] = index < 0 ? [] : claims.splice(index, 1);
  const drafts = recordToolAccount(
    session,
    rebuildEntry(entryId, time, { usage: spend.rawUsage }),
    spend,
  );
  return claim === undefined
    ? []
    : drafts.map((draft) => ({ ...draft, data: { ...draft.data, keys: [claim.data.key] } }));
}

/** Replaces an importer's guess from before the parent was known with the guess of now. */
function attributed(
  { subject, time, data }: LedgerEvent<'pi.session.attributed.v1'>,
  parent: SubagentParent,
  laterMs: number,
): readonly EventDraft[] {
  const isOfThen =
    data.basis === 'import' && (data.agent.kind === 'main' || data.parentSessionId === null);
  if (!isOfThen) return [];
  const agent: typeof data.agent =
    data.agent.kind === 'main' ? { kind: 'subagent', name: null } : data.agent;
  const guess = { ...data, agent, parentSessionId: data.parentSessionId ?? parent.sessionId };
  const { producerVersion: _, ...facts } = guess;
  const timeMs = (parseTimeMs(time) ?? 0) + laterMs;
  const type = 'pi.session.attributed.v1';
  const id = entryEventId(
    type,
    { id: subject, timestamp: time, timeMs },
    { responseId: null, usage: facts },
  );
  return [{ id, type, time: new Date(timeMs).toISOString(), subject, data: guess }];
}
