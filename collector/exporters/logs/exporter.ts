/** Exports a log record for each compaction, failed attempt, retry given up, and drop. */
import type { Attributes, SpanContext } from '@opentelemetry/api';
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';
import type { LedgerEvent } from '@pi-ledger/contract';
import { logs } from '@pi-ledger/contract/telemetry/logs';
import type { FactsAt } from '@pi-ledger/contract/telemetry/session-facts';
import type { StoredEvent } from '../../log/stored-event.ts';
import type { Exporter, ExporterSurroundings } from '../exporter.ts';
import { createDelivery } from '../otlp/delivery.ts';
import { createOtlpSender } from '../otlp/sender.ts';
import { eventSpanId, loneTraceId, promptTraceId, runSpanId } from '../span-ids.ts';
import type { RunPlace } from '../traces/draft.ts';
import { draftRecord, type LogDraft } from './drafts.ts';
import { type LogMemory, readMemory } from './memory.ts';

/** `now`: the clock of arrival. */
export async function createLogsExporter(
  around: ExporterSurroundings,
  now: () => number = Date.now,
): Promise<Exporter> {
  const sender = await createOtlpSender('logs', around.settings);
  const { deliver, losses } = createDelivery({ sender, noun: 'log records', say: around.say });
  const recordsOf = createLogRecords(around);
  /** What was resolved with last, so that it need not be read again. */
  let last: { readonly text: string | null; readonly memory: LogMemory } | null = null;
  return {
    async handle({ events }, signal, text) {
      const known = last?.text === text ? last.memory : null;
      last = null;
      const memory = known ?? readMemory(text, (events[0]?.position ?? 1) - 1);
      await deliver(await recordsOf(events, memory), signal);
      const next = memory.written();
      last = { text: next ?? text, memory };
      return next;
    },
    async recall({ events }, text) {
      const memory = readMemory(text, (events[0]?.position ?? 1) - 1);
      if (events.length === 0) memory.places.rest(now());
      await recordsOf(events, memory);
      return memory.written() ?? text;
    },
    losses,
  };
}

/** What events are worth; those of ignored projects nothing. */
export function createLogRecords(around: ExporterSurroundings) {
  const toRecord = recordWriter(around);
  return async (
    events: readonly StoredEvent[],
    { drops, places }: Pick<LogMemory, 'drops' | 'places'>,
  ): Promise<readonly ReadableLogRecord[]> => {
    const sound = events.filter(({ damage }) => damage === undefined);
    const timed = timedIn(sound.map(({ event }) => event));
    const drafts = new Map(sound.map(({ event }) => [event, draftRecord(event, { drops, timed })]));
    const told = [...drafts.values()].map((draft) => draft?.sessionId ?? null);
    const ids = new Set([...told.filter((id) => id !== null), ...places.unknownIn(sound)]);
    const facts = await around.readFacts(ids);
    return sound.flatMap((stored) => {
      places.follow(stored, facts);
      const draft = drafts.get(stored.event) ?? null;
      if (draft === null) return [];
      const { sessionId, event } = draft;
      const then = sessionId === null ? undefined : facts.get(sessionId)?.at(event.time);
      const under = sessionId === null ? null : places.under(sessionId);
      return then?.isIgnored === true ? [] : [toRecord(draft, stored, then, under)];
    });
  };
}

function timedIn(events: readonly LedgerEvent[]) {
  return new Map(
    events
      .filter((event) => event.type === 'pi.compaction.timed.v1')
      .map(({ subject, data }) => [`${subject} ${data.entryId}`, data]),
  );
}

/** OpenTelemetry's SeverityNumber. */
const severities = { info: 9, warn: 13, error: 17 } as const;
const sampled = 1;
/** Names come from senders. */
const textCharsMax = 200;

function recordWriter({ resource, version }: ExporterSurroundings) {
  const instrumentationScope = { name: 'pi-ledger', version };
  return (
    draft: LogDraft,
    { receivedAtMs }: Pick<StoredEvent, 'receivedAtMs'>,
    facts: FactsAt | undefined,
    under: RunPlace | null,
  ): ReadableLogRecord => {
    const { name, severity } = logs[draft.key];
    const { event, isOfArrival } = draft;
    const hrTime = toHrTime(isOfArrival ? new Date(receivedAtMs).toISOString() : event.time);
    const spanContext = spanContextOf(draft, under);
    return {
      eventName: name,
      hrTime,
      hrTimeObserved: hrTime,
      severityNumber: severities[severity],
      severityText: severity.toUpperCase(),
      resource,
      instrumentationScope,
      attributes: present({ ...sessionAttributes(draft, facts), ...draft.attributes }),
      droppedAttributesCount: 0,
      ...(spanContext === null ? {} : { spanContext }),
    };
  };
}

function sessionAttributes({ sessionId, event }: LogDraft, facts: FactsAt | undefined) {
  return {
    'log.record.uid': event.id,
    'gen_ai.conversation.id': sessionId,
    'gen_ai.agent.name': facts?.agentName ?? null,
    'pi.project': facts?.project ?? null,
    'pi.host.name': facts?.hostName ?? null,
    'pi.host.version': facts?.hostVersion ?? null,
  };
}

/** The span that the event is about, else its run. A subagent's is in the trace of its parent. */
function spanContextOf(
  { sessionId, place, event }: LogDraft,
  under: RunPlace | null,
): SpanContext | null {
  if (sessionId === null || place.is === 'unknown') return null;
  const { prompt } = place;
  const ownTraceId = prompt === null ? loneTraceId(event.id) : promptTraceId(sessionId, prompt);
  return {
    traceId: under?.traceId ?? ownTraceId,
    spanId: place.is === 'span' ? eventSpanId(event.id) : runSpanId(sessionId, place.prompt),
    traceFlags: sampled,
  };
}

function toHrTime(time: string): [number, number] {
  const ms = Date.parse(time);
  return [Math.floor(ms / 1_000), (ms % 1_000) * 1e6];
}

function present(attributes: Readonly<Record<string, unknown>>): Attributes {
  const kept: Attributes = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'string' && value !== '') kept[name] = value.slice(0, textCharsMax);
    if (typeof value === 'number' || typeof value === 'boolean') kept[name] = value;
  }
  return kept;
}
