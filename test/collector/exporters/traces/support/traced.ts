/** Events as a log holds them, what is known of their sessions, and the spans that they give. */

import { join } from 'node:path';
import type { LedgerEvent } from '@pi-ledger/contract';
import type { FactsAt, SessionFacts } from '@pi-ledger/contract/telemetry/session-facts';
import type { SpanDraft } from '../../../../../collector/exporters/traces/draft.ts';
import {
  closeAll,
  type Facts,
  foldTraces,
} from '../../../../../collector/exporters/traces/fold.ts';
import { boundText } from '../../../../../collector/exporters/traces/memory.ts';
import { createTraceState } from '../../../../../collector/exporters/traces/state.ts';
import {
  decodeTraceState,
  encodeTraceState,
} from '../../../../../collector/exporters/traces/state-text.ts';
import { omp } from '../../../../../collector/importers/omp/importer.ts';
import { pi } from '../../../../../collector/importers/pi/importer.ts';
import type { StoredEvent } from '../../../../../collector/log/stored-event.ts';
import { createImports, recordedSessions } from '../../../importers/support/imports.ts';

/** Each arrives when it happened, unless it is told otherwise. */
export function stored(
  events: readonly LedgerEvent[],
  receivedAtMs: (event: LedgerEvent) => number = ({ time }) => Date.parse(time),
): readonly StoredEvent[] {
  return events.map((event, index) => ({
    position: index + 1,
    receivedAtMs: receivedAtMs(event),
    event,
  }));
}

type Attributed = LedgerEvent<'pi.session.attributed.v1'>;

/** From the attributions of each session, in their order. `parentPrompt`: of every parent. */
export function factsOf(events: readonly LedgerEvent[], parentPrompt: string | null = null): Facts {
  const attributed = events.filter((event) => event.type === 'pi.session.attributed.v1');
  const facts = [...Map.groupBy(attributed, ({ subject }) => subject)].map(
    ([subject, said]): [string, SessionFacts] => [
      subject,
      {
        at: (time) =>
          factsAt(said.findLast((each) => minute(each.time) <= minute(time)) ?? said[0]),
        parentPromptAt: () => parentPrompt,
      },
    ],
  );
  return new Map(facts);
}

function minute(time: string): string {
  return time.slice(0, '2026-11-22T09:00'.length);
}

function factsAt(event: Attributed | undefined): FactsAt {
  if (event === undefined) throw new Error('There is an attribution.');
  const { data } = event;
  return {
    project: data.project.name,
    branch: data.project.branch,
    hostName: data.host.name,
    hostVersion: data.host.version,
    agentKind: data.agent.kind,
    agentName: data.agent.name,
    user: data.user,
    parentSessionId: data.parentSessionId,
    isIgnored: data.project.name === 'ignored',
    billingOf: (provider) => data.billing[provider] ?? 'unknown',
  };
}

/** `batches`: how many events each has; a restart follows each. One batch: all. */
export function spansOf(
  events: readonly StoredEvent[],
  facts: Facts,
  batches: readonly number[] = [],
): readonly SpanDraft[] {
  const spans: SpanDraft[] = [];
  let text = encodeTraceState(createTraceState(0));
  let from = 0;
  /** Of the checkpoint. */
  let position = 0;
  for (const size of [...batches, events.length]) {
    const state = decodeTraceState(text, position);
    const emit = (draft: SpanDraft) => spans.push(draft);
    foldTraces(state, events.slice(from, from + size), facts, emit);
    boundText(state, emit);
    text = encodeTraceState(state);
    from += size;
    position = state.position;
  }
  const state = decodeTraceState(text, position);
  closeAll(state, 'end_of_export', (draft) => spans.push(draft));
  return spans;
}

/** All spans of these events. */
export function spansOfAll(events: readonly LedgerEvent[]): readonly SpanDraft[] {
  return spansOf(stored(events), factsOf(events));
}

export const recordedHosts = ['pi073', 'pi087', 'pi15', 'omp18'] as const;

/** What the importer makes of the session files that a real host wrote. */
export async function recordedEvents(
  host: (typeof recordedHosts)[number],
): Promise<readonly LedgerEvent[]> {
  const importer = host.startsWith('pi') ? pi : omp;
  const imports = createImports(importer, join(recordedSessions, host));
  await imports.scan();
  return [...imports.events.values()];
}

export function isRoot({ parentSpanId }: SpanDraft): boolean {
  return parentSpanId === null;
}

/** Spans without their order. */
export function sorted(spans: readonly SpanDraft[]): readonly string[] {
  return spans.map((span) => JSON.stringify(span)).sort();
}
