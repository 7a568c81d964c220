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
import { loneTraceIdOf, runSpanIdOf, spanIdOf, traceIdOf } from '../span-ids.ts';
import { draftOf, type LogDraft } from './drafts.ts';
import { type Drops, readDrops } from './drops.ts';

export async function createLogsExporter(around: ExporterSurroundings): Promise<Exporter> {
  const sender = await createOtlpSender('logs', around.settings);
  const { deliver, losses } = createDelivery({ sender, noun: 'log records', say: around.say });
  const recordsOf = createLogRecords(around);
  return {
    async handle({ events }, signal, state) {
      const drops = readDrops(state);
      await deliver(await recordsOf(events, drops), signal);
      return drops.written();
    },
    losses,
  };
}

/** What events are worth; those of ignored projects nothing. */
export function createLogRecords(around: ExporterSurroundings) {
  const toRecord = recordWriter(around);
  return async (
    events: readonly StoredEvent[],
    drops: Drops,
  ): Promise<readonly ReadableLogRecord[]> => {
    const sound = events.filter(({ damage }) => damage === undefined).map(({ event }) => event);
    const timed = timedIn(sound);
    const drafts = sound
      .map((event) => draftOf(event, { drops, timed }))
      .filter((draft) => draft !== null);
    const ids = drafts.map(({ sessionId }) => sessionId).filter((id) => id !== null);
    const facts = await around.readFacts(ids);
    return drafts.flatMap((draft) => {
      const known = draft.sessionId === null ? undefined : facts.get(draft.sessionId);
      const then = known?.at(draft.event.time);
      return then?.isIgnored === true ? [] : [toRecord(draft, then)];
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
  return (draft: LogDraft, facts: FactsAt | undefined): ReadableLogRecord => {
    const { name, severity } = logs[draft.key];
    const hrTime = hrTimeOf(draft.event.time);
    const spanContext = spanContextOf(draft, facts);
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

/**
 * The span that the event is about, else its run. Null for subagents: theirs stand in the trace of
 * the run that started them, which their own events do not name.
 */
function spanContextOf(
  { sessionId, place, event }: LogDraft,
  facts: FactsAt | undefined,
): SpanContext | null {
  if (sessionId === null || place.is === 'unknown' || facts?.agentKind !== 'main') return null;
  const { prompt } = place;
  return {
    traceId: prompt === null ? loneTraceIdOf(event.id) : traceIdOf(sessionId, prompt),
    spanId: place.is === 'span' ? spanIdOf(event.id) : runSpanIdOf(sessionId, place.prompt),
    traceFlags: sampled,
  };
}

function hrTimeOf(time: string): [number, number] {
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
