import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import type { SpanDraft } from '../../../../collector/exporters/traces/draft.ts';
import { foldTraces } from '../../../../collector/exporters/traces/fold.ts';
import { boundText, limits } from '../../../../collector/exporters/traces/memory.ts';
import { createTraceState } from '../../../../collector/exporters/traces/state.ts';
import { liveSessions } from '../../../../lab/bench/spans/live-sessions.ts';
import { ask, type Talk, talk } from './support/talk.ts';
import { factsOf, isRoot, spansOf, stored } from './support/traced.ts';

const hour = 3_600;

function talks(count: number): readonly Talk[] {
  return Array.from({ length: count }, (_, index) => talk(`session-${index}`));
}

/** A prompt, two answers, each with a tool, and the end: all sessions take turns. */
function* roundsOf(live: readonly Talk[]): Generator<LedgerEvent> {
  const rounds: readonly ((story: Talk) => LedgerEvent)[] = [
    ({ add }) => add('pi.prompt.submitted.v1', 1, { entryId: 'p1' }),
    ({ add }) => add('pi.turn.completed.v1', 2, { promptEntryId: 'p1', entryId: 'a1' }),
    ({ add }) => add('pi.tool.completed.v1', 3, { promptEntryId: 'p1', turnEntryId: 'a1' }),
    ({ add }) => add('pi.turn.completed.v1', 4, { promptEntryId: 'p1', entryId: 'a2' }),
    ({ add }) => add('pi.tool.completed.v1', 5, { promptEntryId: 'p1', turnEntryId: 'a2' }),
    ({ add }) => add('pi.run.completed.v1', 6, { promptEntryId: 'p1' }),
    ({ add }) => add('pi.branch.summarized.v1', 7, { promptEntryId: 'p1' }),
  ];
  for (const round of rounds) for (const story of live) yield round(story);
}

function inThousands(events: readonly unknown[]): readonly number[] {
  return Array.from({ length: Math.floor(events.length / 1_000) }, () => 1_000);
}

function idsOf(spans: readonly SpanDraft[]): readonly string[] {
  return spans.map(({ traceId, spanId }) => `${traceId} ${spanId}`);
}

function closedBy(spans: readonly SpanDraft[]) {
  const reasons = spans.filter(isRoot).map(({ attributes }) => attributes['pi.run.closed_by']);
  const counts: Record<string, number> = {};
  for (const by of reasons.map(String)) counts[by] = (counts[by] ?? 0) + 1;
  return counts;
}

describe('sessions that are remembered', () => {
  it('are 2,000 that take turns: nothing is sent twice, and no run ends early', () => {
    const events = [...roundsOf(talks(2_000))];
    const log = stored(events);
    const spans = spansOf(log, factsOf(events), inThousands(events));
    expect(closedBy(spans)).toEqual({ run_completed: 2_000 });
    expect(new Set(idsOf(spans)).size).toBe(spans.length);
    expect(spans.filter(({ key }) => key === 'tool')).toHaveLength(4_000);
  });

  it('are as many with ids and names as real ones have', () => {
    const events = [...liveSessions(2_000)].slice(0, 42_000);
    const log = stored(events);
    const facts = factsOf(events);
    const state = createTraceState(0);
    const ids: string[] = [];
    for (let from = 0; from < log.length; from += 2_000) {
      const emit = (span: SpanDraft) => ids.push(`${span.traceId} ${span.spanId}`);
      foldTraces(state, log.slice(from, from + 2_000), facts, emit);
      boundText(state, emit);
    }
    expect(ids).toHaveLength(36_000);
    expect(new Set(ids).size).toBe(36_000);
  });

  it('are those that have ended no longer, where there are too many', () => {
    const open = talk('open');
    ask(open, 'p1', 2);
    const ended = talks(limits.sessions + 200);
    for (const story of ended) {
      ask(story, 'p1', 3);
      story.add('pi.run.completed.v1', 4, { promptEntryId: 'p1' });
    }
    const before = [...open.events, ...ended.flatMap(({ events }) => events)];
    const end = open.add('pi.run.completed.v1', 5, { promptEntryId: 'p1' });
    const spans = spansOf(stored([...before, end]), new Map(), inThousands(before));
    expect(closedBy(spans)).toEqual({ run_completed: ended.length + 1 });
  });

  it('know after an hour of silence which of their runs were sent', () => {
    const story = talk('session-1', '/importers/pi');
    for (let run = 0; run < 15; run++) ask(story, `p${run}`, run * 10 + 2);
    const other = talk('session-2');
    ask(other, 'p1', 3 * hour);
    const before = [...story.events, ...other.events];
    for (let run = 0; run < 15; run++)
      story.add('pi.branch.summarized.v1', 3 * hour + run, { promptEntryId: `p${run}` });
    ask(story, 'new', 4 * hour);
    const late = story.events.filter((event) => !before.includes(event));
    const log = stored([...before, ...late]);
    const spans = spansOf(log, new Map(), [before.length, 3]);
    expect(new Set(idsOf(spans)).size).toBe(spans.length);
    expect(spans.filter(isRoot)).toHaveLength(17);
  });
});
