/** Exports spans: what is complete goes out, what is not stays in the checkpoint's state. */
import type { StoredEvent } from '../../log/stored-event.ts';
import type { Exporter, ExporterSurroundings } from '../exporter.ts';
import { createDelivery } from '../otlp/delivery.ts';
import { createOtlpSender } from '../otlp/sender.ts';
import type { SpanDraft } from './draft.ts';
import { foldTraces, isTraced } from './fold.ts';
import { boundText, passTime } from './memory.ts';
import { readableSpan } from './readable-span.ts';
import type { TraceState } from './state.ts';
import { decodeTraceState, encodeTraceState } from './state-text.ts';
import type { EmitSpan } from './timing.ts';

/** `now`: the clock of arrival. Without events, it tells that a session is silent. */
export async function createTracesExporter(
  around: ExporterSurroundings,
  now: () => number = Date.now,
): Promise<Exporter> {
  const { settings, resource, version, previousNames, readFacts, say } = around;
  const sender = await createOtlpSender('traces', settings);
  const { deliver, losses } = createDelivery({ sender, noun: 'spans', say });
  const origin = { resource, scope: { name: 'pi-ledger', version }, previousNames };
  /** What was resolved with last, so that it need not be read again. */
  let last: { readonly text: string | null; readonly state: TraceState } | null = null;
  return {
    async handle({ events }, signal, text) {
      const known = last?.text === text ? last.state : null;
      last = null;
      const state = known ?? decodeTraceState(text, (events[0]?.position ?? 1) - 1);
      const drafts: SpanDraft[] = [];
      const emit: EmitSpan = (draft) => drafts.push(draft);
      if (events.length === 0) passTime(state, now(), emit);
      foldTraces(state, events, await readFacts(tracedSessions(events)), emit);
      boundText(state, emit);
      const next = state.isChanged ? encodeTraceState(state) : text;
      await deliver(
        drafts.map((draft) => readableSpan(draft, origin)),
        signal,
      );
      last = { text: next, state };
      return next === null || next === text ? undefined : next;
    },
    async recall({ events }, text) {
      const state = decodeTraceState(text, (events[0]?.position ?? 1) - 1);
      // Who is silent by now has ended before: its run is not sent.
      if (events.length === 0) passTime(state, now(), notSent);
      foldTraces(state, events, await readFacts(tracedSessions(events)), notSent);
      boundText(state, notSent);
      return encodeTraceState(state);
    },
    losses,
  };
}

const notSent: EmitSpan = () => undefined;

export function tracedSessions(events: readonly StoredEvent[]): ReadonlySet<string> {
  const traced = events.filter(({ event, damage }) => damage === undefined && isTraced(event));
  return new Set(traced.map(({ event }) => event.subject));
}
