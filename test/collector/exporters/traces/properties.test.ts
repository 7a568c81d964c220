import type { LedgerEvent } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldTraces } from '../../../../collector/exporters/traces/fold.ts';
import { createTraceState } from '../../../../collector/exporters/traces/state.ts';
import {
  decodeTraceState,
  encodeTraceState,
} from '../../../../collector/exporters/traces/state-text.ts';
import { demoEvents } from '../../../../lab/bench/demo-events.ts';
import {
  factsOf,
  isRoot,
  recordedEvents,
  recordedHosts,
  sorted,
  spansOf,
  stored,
} from './support/traced.ts';

const demo = [...demoEvents(3_000)];
const facts = factsOf(demo);
const log = stored(demo);
const whole = spansOf(log, facts);

describe('spans of any log', () => {
  it('are the same however it is split into batches, with a restart after each', () => {
    const expected = sorted(whole);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 30 }), (batches) => {
        expect(sorted(spansOf(log, facts, batches))).toEqual(expected);
      }),
      { numRuns: 15 },
    );
  });

  it('do not change when events come again', () => {
    const again = [...log.slice(0, 2_000), ...log.slice(1_500)];
    expect(sorted(spansOf(again, facts, [700, 1_300]))).toEqual(sorted(whole));
  });

  it('leave a state whose text is the same, written now and then or once', () => {
    const once = createTraceState(0);
    foldTraces(once, log, facts, () => undefined);
    const often = createTraceState(0);
    for (let from = 0; from < log.length; from += 100) {
      foldTraces(often, log.slice(from, from + 100), facts, () => undefined);
      encodeTraceState(often);
    }
    expect(encodeTraceState(often)).toBe(encodeTraceState(once));
    expect(encodeTraceState(decodeTraceState(encodeTraceState(once), once.position))).toBe(
      encodeTraceState(once),
    );
  });

  it('have ids of their own, and a parent among them unless they are roots', () => {
    expectTree(whole);
  });

  it.each(recordedHosts)('form trees for the session files of %s', async (host) => {
    const events = await recordedEvents(host);
    const spans = spansOf(stored(events), factsOf(events));
    expectTree(spans);
    expect(new Set(spans.map(({ key }) => key))).toEqual(new Set(kindsOf(host)));
  });

  it.each(['omp18', 'pi087'] as const)(
    'of subagents that %s ran are in the trace of the run that started them',
    async (host) => {
      const events = (await recordedEvents(host)).toSorted(byTime);
      const facts = factsOf(events);
      const below = spansOf(stored(events), facts).filter(({ attributes }) => {
        const session = String(attributes['gen_ai.conversation.id']);
        return facts.get(session)?.at('9').agentKind === 'subagent';
      });
      expect(below.length).toBeGreaterThan(4);
      expect(below.filter(isRoot)).toEqual([]);
    },
  );

  it('begin before they end, and a run reaches over its answers', () => {
    const runs = new Map(whole.filter(({ key }) => key === 'run').map((run) => [run.spanId, run]));
    for (const { key, parentSpanId, startMs, endMs } of whole) {
      expect(startMs).toBeLessThanOrEqual(endMs);
      const run = key === 'chat' ? runs.get(parentSpanId ?? '') : undefined;
      if (run === undefined) continue;
      expect(run.startMs).toBeLessThanOrEqual(startMs);
    }
  });
});

function expectTree(spans: typeof whole): void {
  const byId = new Map(spans.map((span) => [`${span.traceId} ${span.spanId}`, span]));
  expect(byId.size).toBe(spans.length);
  const lost = spans.filter(
    ({ traceId, parentSpanId }) => parentSpanId !== null && !byId.has(`${traceId} ${parentSpanId}`),
  );
  expect(lost).toEqual([]);
  const traces = Map.groupBy(spans, ({ traceId }) => traceId);
  for (const some of traces.values())
    expect(some.filter(({ parentSpanId }) => parentSpanId === null)).toHaveLength(1);
}

/** As the running hosts tell it. An import reads subagents' files first. */
function byTime(one: LedgerEvent, other: LedgerEvent): number {
  return Date.parse(one.time) - Date.parse(other.time);
}

/** The recording of pi 0.87 has no compaction. */
function kindsOf(host: string): readonly string[] {
  return ['run', 'chat', 'tool', ...(host === 'pi087' ? [] : ['side'])];
}
