import { describe, expect, it } from 'vitest';
import { spanIdOf } from '../../../../collector/exporters/span-ids.ts';
import type { SpanDraft } from '../../../../collector/exporters/traces/draft.ts';
import { ask, startMs, talk } from './support/talk.ts';
import { isRoot, spansOf, spansOfAll, stored } from './support/traced.ts';

const second = 1_000;

function rootsOf(spans: readonly SpanDraft[]): readonly SpanDraft[] {
  return spans.filter(isRoot);
}

function closedBy(spans: readonly SpanDraft[]): readonly unknown[] {
  return rootsOf(spans).map(({ attributes }) => attributes['pi.run.closed_by']);
}

describe('a run', () => {
  it('ends when the host says so, from the prompt to that time', () => {
    const story = talk();
    ask(story, 'p1', 2);
    story.add('pi.run.completed.v1', 3, { promptEntryId: 'p1', outcome: 'completed' });
    const [root] = rootsOf(spansOfAll(story.events));
    expect(root).toMatchObject({
      name: 'invoke_agent',
      startMs: startMs + second,
      endMs: startMs + 3 * second,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.conversation.id': 'session-1',
        'pi.run.closed_by': 'run_completed',
        'pi.outcome': 'completed',
      },
    });
  });

  it('ends with the next prompt, the end of the session, or the end of an export', () => {
    const story = talk('session-1', '/importers/pi');
    ask(story, 'p1', 2);
    ask(story, 'p2', 10);
    story.add('pi.session.ended.v1', 20);
    ask(story, 'p3', 30);
    const spans = spansOfAll(story.events);
    expect(closedBy(spans)).toEqual(['next_prompt', 'session_end', 'end_of_export']);
    expect(rootsOf(spans).map(({ endMs }) => endMs - startMs)).toEqual([
      2 * second,
      10 * second,
      30 * second,
    ]);
  });

  it('ends when nothing of its session has arrived for an hour', () => {
    const killed = talk('killed');
    const other = talk('other');
    ask(killed, 'p1', 2);
    ask(other, 'p1', 3_600);
    ask(other, 'p2', 3_700);
    const spans = spansOf(stored([...killed.events, ...other.events]), new Map());
    expect(closedBy(spans)).toEqual(['silence', 'next_prompt', 'end_of_export']);
  });

  it('is silent by the time of arrival: an import of old files closes nothing', () => {
    const story = talk('old', '/importers/pi');
    ask(story, 'p1', 2);
    story.add('pi.turn.completed.v1', 9_000, { promptEntryId: 'p1', entryId: 'late' });
    const spans = spansOf(
      stored(story.events, () => startMs + 1_000_000 * second),
      new Map(),
    );
    expect(closedBy(spans)).toEqual(['end_of_export']);
  });

  it('has a root where its prompt was never seen, and only one', () => {
    const story = talk();
    const answer = { promptEntryId: 'p0', durationMs: 500, requestedAtMs: null };
    story.add('pi.turn.completed.v1', 2, { ...answer, entryId: 'a1' });
    story.add('pi.run.completed.v1', 3, { promptEntryId: 'p0' });
    story.add('pi.tool.completed.v1', 4, { promptEntryId: 'p0', turnEntryId: 'a1' });
    ask(story, 'p1', 9);
    story.add('pi.branch.summarized.v1', 10, { promptEntryId: 'p0' });
    const spans = spansOfAll(story.events);
    const [first, second] = rootsOf(spans);
    expect(rootsOf(spans)).toHaveLength(2);
    const late = spans.filter(({ name }) => /^(execute_tool|branch_summary)/.test(name));
    expect(late.map(({ traceId }) => traceId)).toEqual([first?.traceId, first?.traceId]);
    expect(late.at(1)?.parentSpanId).toBe(first?.spanId);
    expect(second?.traceId).not.toBe(first?.traceId);
  });

  it('shows retries as events and failure as its status', () => {
    const story = talk();
    ask(story, 'p1', 2, { stopReason: 'error', errorStatus: 529 });
    story.add('pi.retry.scheduled.v1', 2, { promptEntryId: 'p1', attempt: 1 });
    story.add('pi.retry.ended.v1', 5, { promptEntryId: 'p1', attempts: 3, succeeded: false });
    story.add('pi.run.completed.v1', 6, { promptEntryId: 'p1', outcome: 'failed' });
    const spans = spansOfAll(story.events);
    expect(rootsOf(spans)[0]).toMatchObject({
      attributes: { 'error.type': 'unknown', 'pi.outcome': 'failed' },
      events: [
        { name: 'pi.retry.scheduled', attributes: { 'pi.retry.attempt': 1 } },
        { name: 'pi.retry.ended', attributes: { 'pi.retry.succeeded': false } },
      ],
    });
    expect(spans.find(({ key }) => key === 'chat')?.attributes['error.type']).toBe('529');
  });

  it('is told compacted from the compaction on', () => {
    const story = talk('session-1', '/importers/pi');
    ask(story, 'p1', 2);
    story.add('pi.compaction.completed.v1', 3, { promptEntryId: 'p1' });
    story.add('pi.turn.completed.v1', 5, { promptEntryId: 'p1', entryId: 'after' });
    ask(story, 'p2', 9);
    const told = spansOfAll(story.events).map(({ key, attributes }) => [
      key,
      attributes['gen_ai.conversation.compacted'],
    ]);
    expect(told).toEqual([
      ['chat', undefined],
      ['side', true],
      ['chat', true],
      ['run', true],
      ['chat', undefined],
      ['run', undefined],
    ]);
  });
});

describe('spans of a subagent', () => {
  function family(parentAgent: 'known' | 'unknown') {
    const parent = talk('parent');
    const child = talk('child');
    child.add('pi.session.attributed.v1', 2, {
      parentSessionId: 'parent',
      agent: { kind: 'subagent', name: 'Scout' },
    });
    if (parentAgent === 'known') ask(parent, 'p1', 2);
    ask(child, 'c1', 5);
    child.add('pi.run.completed.v1', 6, { promptEntryId: 'c1' });
    ask(child, 'c2', 8);
    return spansOfAll([...parent.events, ...child.events]);
  }

  it("are in the trace of the parent's run, below it", () => {
    const spans = family('known');
    const [root] = rootsOf(spans);
    const scouts = spans.filter(({ name }) => name === 'invoke_agent Scout');
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(scouts.map(({ parentSpanId }) => parentSpanId)).toEqual([root?.spanId, root?.spanId]);
  });

  it("name the parent's session where its run is not known", () => {
    const scouts = family('unknown').filter(({ name }) => name === 'invoke_agent Scout');
    expect(scouts.every(isRoot)).toBe(true);
    expect(scouts[0]?.attributes['pi.session.parent_id']).toBe('parent');
  });

  it('of a fork are linked to the run that it came from, once', () => {
    const parent = talk('parent');
    const fork = talk('fork');
    ask(parent, 'p1', 2);
    fork.add('pi.session.attributed.v1', 3, {
      parentSessionId: 'parent',
      agent: { kind: 'main', name: null },
    });
    ask(fork, 'f1', 5);
    ask(fork, 'f2', 8);
    const spans = spansOfAll([...parent.events, ...fork.events]);
    const origin = spans.find(
      ({ key, attributes }) => key === 'run' && attributes['gen_ai.conversation.id'] === 'parent',
    );
    expect(rootsOf(spans)).toHaveLength(3);
    expect(spans.flatMap(({ links }) => links)).toEqual([
      { traceId: origin?.traceId, spanId: origin?.spanId },
    ]);
  });
});

describe('what is not exported', () => {
  it('is a project that the rules ignore', () => {
    const story = talk();
    const project = { name: 'ignored', remote: null, branch: null, worktree: null };
    story.add('pi.session.attributed.v1', 0, { project });
    ask(story, 'p1', 2);
    expect(spansOfAll(story.events)).toEqual([]);
  });

  it('is an event that is damaged', () => {
    const story = talk();
    ask(story, 'p1', 2);
    const damaged = stored(story.events).map((each) => ({ ...each, damage: 'no JSON' }));
    expect(spansOf(damaged, new Map())).toEqual([]);
  });
});

describe('ids', () => {
  it('come from the events, so whoever exports them again gives the same ones', () => {
    const story = talk();
    const answer = ask(story, 'p1', 2);
    const [chat] = spansOfAll(story.events);
    expect(chat?.spanId).toBe(spanIdOf(answer.id));
  });
});
