/** Turns events from the API's log into units, moves and accounts. Trusts nothing in them. Pure. */
import type { Accounted } from './accounted.ts';
import { type Json, jsonObject } from './files/usage-figures.ts';
import { identityOf, type PriceSource, type Unit } from './unit.ts';

export interface LogRow {
  readonly position: number;
  /** A withdrawn event has its id alone. */
  readonly event: Json;
  /** What an administrator took back. */
  readonly withdrawn?: Json;
}

export type EventFact =
  | { readonly about: 'unit'; readonly unit: Unit }
  | { readonly about: 'move'; readonly move: LogMove }
  | { readonly about: 'account'; readonly account: LogAccount }
  | { readonly about: 'link'; readonly link: LogLink }
  /** Answered requests that no entry explains; below zero: some of them are taken back. */
  | { readonly about: 'requests'; readonly sessionId: string; readonly count: number }
  | { readonly about: 'streamed' | 'started'; readonly sessionId: string }
  | { readonly about: 'copies' }
  | { readonly about: 'other' };

/** One end of the tie between a tool result and a subagent. */
export interface LogLink {
  readonly sessionId: string;
  /** The tool result. */
  readonly entryId: string | null;
  readonly childSessionId: string | null;
  readonly ref: string;
  /** The tool result counts in another session now. */
  readonly isOut?: boolean;
}

/** A unit in the log that counts under another session now. */
export interface LogMove {
  readonly eventId: string;
  readonly isIn: boolean;
  readonly unit: Unit;
  readonly isCopy: boolean;
}

/**
 * A record that a copy gives its owner without the price: the owner's own record, with the price,
 * has another id.
 */
export function isUnpricedCopy(
  ownership: unknown,
  { claimKey, priceSource, reported }: Unit,
): boolean {
  return (
    (ownership === 'named' || ownership === 'assumed') &&
    claimKey === null &&
    priceSource === 'unpriced' &&
    reported
  );
}

/** A subagent's answer, accounted to its parent. */
export interface LogAccount {
  readonly parentSessionId: string;
  readonly childSessionId: string;
  readonly childEntryId: string;
  readonly timeMs: number;
  readonly keys: readonly string[];
  readonly accounted: Accounted;
}

const kindsOfTypes: Readonly<Record<string, string>> = {
  'pi.turn.completed.v1': 'turn',
  'pi.tool.completed.v1': 'tool',
  'pi.compaction.completed.v1': 'compaction',
  'pi.branch.summarized.v1': 'branch_summary',
};

export function readEvent(event: Json): EventFact {
  const data = jsonObject(event.data) ?? {};
  const type = String(event.type);
  const spend = jsonObject(data.spend);
  const kind = kindsOfTypes[type];
  if (kind !== undefined) {
    // A summary that an extension made, and of which nobody says what it spent.
    const isUnsaid = spend === null && data.fromExtension === true;
    if (spend === null && !isUnsaid) return { about: 'other' };
    return readUnit(event, data, spend ?? {}, kind, null);
  }
  return readOther(event, data, type);
}

function readOther(event: Json, data: Json, type: string): EventFact {
  switch (type) {
    case 'pi.usage.recorded.v1':
      return readUnit(event, data, jsonObject(data.spend) ?? {}, String(data.kind), null);
    case 'pi.subagent.claimed.v1':
      return readUnit(event, data, jsonObject(data.claimed) ?? {}, 'claim', String(data.key));
    case 'pi.subagent.accounted.v1':
      return readAccount(event, data);
    case 'pi.subagent.linked.v1':
      return readLink(event, data);
    case 'pi.requests.observed.v1':
      return readRequests(event, data);
    case 'pi.answer.streamed.v1':
      return { about: 'streamed', sessionId: String(event.subject) };
    case 'pi.session.started.v1':
      return { about: 'started', sessionId: String(event.subject) };
    case 'pi.entry.moved.v1':
      return readMove(event, data);
    case 'pi.session.copied.v1':
      return { about: 'copies' };
    default:
      return { about: 'other' };
  }
}

function readUnit(
  event: Json,
  data: Json,
  spend: Json,
  kind: string,
  claimKey: string | null,
): EventFact {
  const entryId = String(data.entryId);
  const timeMs = Date.parse(String(event.time));
  const unsaid = uncountedAround(spend);
  const unit: Unit = {
    sessionId: String(event.subject),
    kind,
    claimKey,
    turnEntryId: readText(data.turnEntryId),
    entryId,
    timeMs,
    provider: readText(spend.provider),
    model: readText(spend.model),
    tokens: {
      input: readCount(spend.inputTokens) + readCount(unsaid.input),
      output: readCount(spend.outputTokens) + readCount(unsaid.output),
      cacheRead: readCount(spend.cacheReadTokens) + readCount(unsaid.cacheRead),
      cacheWrite: readCount(spend.cacheWriteTokens),
      reasoning: readCount(spend.reasoningTokens),
      cacheWrite1h: readCount(spend.cacheWrite1hTokens),
    },
    reported: spend.reported === true,
    nanoUsd: Number.isSafeInteger(spend.costNanoUsd) ? Number(spend.costNanoUsd) : null,
    priceSource: readSource(spend.costSource),
    // A claim that repeats an answer has the answer's response id, but is identified by the claim's
    // key.
    identity: identityOf(
      entryId,
      timeMs,
      claimKey === null ? readText(spend.responseId) : null,
      spend.rawUsage,
      claimKey,
    ),
  };
  return { about: 'unit', unit };
}

function readMove(event: Json, { eventId, role, ownership, event: entry }: Json): EventFact {
  if (role !== 'in' && role !== 'out') return { about: 'other' };
  const said = readEvent({ ...event, ...jsonObject(entry) });
  if (said.about === 'link')
    return { about: 'link', link: { ...said.link, isOut: role === 'out' } };
  if (said.about !== 'unit') return { about: 'other' };
  const { unit } = said;
  return {
    about: 'move',
    move: {
      eventId: String(eventId),
      isIn: role === 'in',
      unit,
      isCopy: isUnpricedCopy(ownership, unit),
    },
  };
}

function readLink(event: Json, data: Json): EventFact {
  const link: LogLink = {
    sessionId: String(event.subject),
    entryId: readText(data.entryId),
    childSessionId: readText(data.childSessionId),
    ref: String(data.ref),
  };
  return { about: 'link', link };
}

function readRequests({ subject }: Json, { unexplained, explainedLater }: Json): EventFact {
  const count = readCount(unexplained) - readCount(explainedLater);
  return { about: 'requests', sessionId: String(subject), count };
}

function readAccount(event: Json, data: Json): EventFact {
  const accounted = jsonObject(data.accounted) ?? {};
  // An attempt without reported usage covers nothing.
  if (accounted.reported !== true) return { about: 'other' };
  const account: LogAccount = {
    parentSessionId: String(event.subject),
    childSessionId: String(data.childSessionId),
    childEntryId: String(data.childEntryId),
    timeMs: Date.parse(String(event.time)),
    keys: Array.isArray(data.keys) ? data.keys.map(String) : [],
    accounted: {
      inputTokens: BigInt(readCount(accounted.inputTokens)),
      outputTokens: BigInt(readCount(accounted.outputTokens)),
      cacheReadTokens: BigInt(readCount(accounted.cacheReadTokens)),
      cacheWriteTokens: BigInt(readCount(accounted.cacheWriteTokens)),
      reasoningTokens: BigInt(readCount(accounted.reasoningTokens)),
      nanoUsd: BigInt(readCount(accounted.costNanoUsd)),
    },
  };
  return { about: 'account', account };
}

/** What older events leave out of their counts: they have it in the raw usage only. */
function uncountedAround({ orchestration, rawUsage }: Json): Json {
  return (orchestration === undefined && jsonObject(jsonObject(rawUsage)?.orchestration)) || {};
}

function readSource(source: unknown): PriceSource {
  return source === 'provider' || source === 'catalog' ? source : 'unpriced';
}

function readText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function readCount(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : 0;
}
