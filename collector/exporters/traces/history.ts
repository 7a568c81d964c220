/** Exports the traces that began in a period, from a log that is read from its beginning. */
import type { StoredEvent } from '../../log/stored-event.ts';
import type { ExporterSurroundings } from '../exporter.ts';
import type { HistoryExporter, HistoryPeriod } from '../history.ts';
import { createDelivery } from '../otlp/delivery.ts';
import { createOtlpSender } from '../otlp/sender.ts';
import type { SpanDraft } from './draft.ts';
import { tracedSessions } from './exporter.ts';
import { closeAll, foldTraces } from './fold.ts';
import { boundText } from './memory.ts';
import { readableSpan } from './readable-span.ts';
import { createTraceState } from './state.ts';

/**
 * The ids are those of the running export: who has a span already gets the same one again. Runs
 * that are open at the end of the log end there.
 */
export async function createTracesHistory(
  { settings, resource, version, previousNames, readFacts, say }: ExporterSurroundings,
  { sinceMs, untilMs }: HistoryPeriod,
): Promise<HistoryExporter> {
  const sender = await createOtlpSender('traces', settings);
  const { deliver, losses } = createDelivery({ sender, noun: 'spans', say });
  const origin = { resource, scope: { name: 'pi-ledger', version }, previousNames };
  const state = createTraceState(0);
  let waiting: SpanDraft[] = [];
  let items = 0;

  /** Whole traces, so that every span has its parent; none lies in two periods. */
  function keep(draft: SpanDraft): void {
    if (draft.beganMs >= sinceMs && draft.beganMs < untilMs) waiting.push(draft);
  }

  return {
    async take(events: readonly StoredEvent[]) {
      foldTraces(state, events, await readFacts(tracedSessions(events)), keep);
      boundText(state, keep);
    },
    end() {
      closeAll(state, 'end_of_export', keep);
    },
    async send(signal) {
      await deliver(
        waiting.map((draft) => readableSpan(draft, origin)),
        signal,
      );
      items += waiting.length;
      waiting = [];
    },
    close: () => sender.close(),
    items: () => items,
    losses,
  };
}
