import { describe, expect, it } from 'vitest';
import { eventSpanId, loneTraceId } from '../../../../collector/exporters/span-ids.ts';
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

  it('has the project of its time, and so have its answers', () => {
    const story = talk('session-1', '/importers/pi');
    story.add('pi.session.attributed.v1', 0, { project: projectOf('shop') });
    story.add('pi.session.attributed.v1', 60, {
      project: projectOf('blog'),
      billing: { anthropic: 'metered' },
    });
    ask(story, 'p1', 2);
    story.add('pi.turn.completed.v1', 61, { promptEntryId: 'p1', entryId: 'after' });
    ask(story, 'p2', 70);
    const told = spansOfAll(story.events).map(({ key, attributes }) => [
      key,
      attributes['pi.project'],
      attributes['pi.billing'],
    ]);
    expect(told).toEqual([
      ['chat', 'shop', 'subscription'],
      ['chat', 'blog', 'metered'],
      ['run', 'shop', undefined],
      ['chat', 'blog', 'metered'],
      ['run', 'blog', undefined],
    ]);
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

  it('shows the retries of a run that nothing else has told of yet', () => {
    const story = talk();
    story.add('pi.retry.scheduled.v1', 2, { promptEntryId: 'p1', attempt: 1 });
    story.add('pi.run.completed.v1', 6, { promptEntryId: 'p1', outcome: 'failed' });
    expect(spansOfAll(story.events)).toMatchObject([
      { key: 'run', events: [{ name: 'pi.retry.scheduled' }] },
    ]);
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

describe('what belongs to no prompt', () => {
  function lone(isOpen: boolean) {
    const story = talk();
    if (isOpen) ask(story, 'p1', 2);
    const [call, failed] = [
      story.add('pi.usage.recorded.v1', 3, { promptEntryId: null }),
      story.add('pi.compaction.failed.v1', 4),
    ];
    story.add('pi.turn.completed.v1', 5, { promptEntryId: 'p1', entryId: 'after' });
    const spans = spansOfAll(story.events);
    const ids = [call.id, failed.id].map(eventSpanId);
    const traceIds = [call.id, failed.id].map(loneTraceId);
    return { traceIds, spans, sides: ids.map((id) => spans.find(({ spanId }) => spanId === id)) };
  }

  it('has a trace of its own, whichever run is open, and is linked to that', () => {
    const { spans, sides, traceIds } = lone(true);
    const run = spans.find(({ key }) => key === 'run');
    expect(sides.map((side) => side?.traceId)).toEqual(traceIds);
    for (const side of sides) {
      expect(side).toMatchObject({ parentSpanId: null });
      expect(side?.links).toMatchObject([{ traceId: run?.traceId, spanId: run?.spanId }]);
    }
    expect(spans.filter(({ traceId }) => traceId === run?.traceId)).toHaveLength(3);
  });

  it('keeps its ids where no run is open', () => {
    const [open, none] = [lone(true), lone(false)];
    expect(none.sides.map((side) => side?.links)).toEqual([[], []]);
    expect(new Set(open.spans.map(({ traceId }) => traceId)).size).toBe(3);
    expect(new Set(none.spans.map(({ traceId }) => traceId)).size).toBe(3);
    expect(none.spans.filter(({ key }) => key === 'run')).toHaveLength(1);
  });
});

function projectOf(name: string) {
  return { name, remote: null, branch: null, worktree: null };
}

describe('what is not exported', () => {
  it('is a project that the rules ignore', () => {
    const story = talk();
    story.add('pi.session.attributed.v1', 0, { project: projectOf('ignored') });
    ask(story, 'p1', 2);
    expect(spansOfAll(story.events)).toEqual([]);
  });

  it('is what a session did in an ignored project before it came to another', () => {
    const story = talk('session-1', '/importers/pi');
    story.add('pi.session.attributed.v1', 0, { project: projectOf('ignored') });
    story.add('pi.session.attributed.v1', 60, { project: projectOf('shop') });
    ask(story, 'p1', 2);
    const after = ask(story, 'p2', 70);
    const chats = spansOfAll(story.events).filter(({ key }) => key === 'chat');
    expect(chats.map(({ spanId }) => spanId)).toEqual([eventSpanId(after.id)]);
  });

  it('is what it does in one afterwards; its run of before still ends', () => {
    const story = talk('session-1', '/importers/pi');
    story.add('pi.session.attributed.v1', 0, { project: projectOf('shop') });
    story.add('pi.session.attributed.v1', 60, { project: projectOf('ignored') });
    ask(story, 'p1', 2);
    ask(story, 'p2', 70);
    expect(spansOfAll(story.events).map(({ key }) => key)).toEqual(['chat', 'run']);
  });

  it('is an event that is damaged', () => {
    const story = talk();
    ask(story, 'p1', 2);
    const damaged = stored(story.events).map((each) => ({ ...each, damage: 'no JSON' }));
    expect(spansOf(damaged, new Map())).toEqual([]);
  });
});

describe('a word of the host', () => {
  it('is cut where it is long', () => {
    const story = talk('session-1', '/importers/pi');
    ask(story, 'p1', 2, { stopReason: 'x'.repeat(400) });
    const [chat] = spansOfAll(story.events);
    expect(chat?.attributes['gen_ai.response.finish_reasons']).toEqual(['x'.repeat(200)]);
  });
});

describe('ids', () => {
  it('come from the events, so whoever exports them again gives the same ones', () => {
    const story = talk();
    const answer = ask(story, 'p1', 2);
    const [chat] = spansOfAll(story.events);
    expect(chat?.spanId).toBe(eventSpanId(answer.id));
  });
});
