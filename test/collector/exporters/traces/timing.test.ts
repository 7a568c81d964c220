import { describe, expect, it } from 'vitest';
import type { SpanDraft } from '../../../../collector/exporters/traces/draft.ts';
import { ask, startMs, talk } from './support/talk.ts';
import { spansOfAll } from './support/traced.ts';

/** ms since the start of the talk. */
function timesOf(span: SpanDraft | undefined) {
  return [
    (span?.startMs ?? 0) - startMs,
    (span?.endMs ?? 0) - startMs,
    span?.attributes['pi.duration.source'],
  ];
}

function only(spans: readonly SpanDraft[], key: SpanDraft['key']): SpanDraft | undefined {
  const some = spans.filter((span) => span.key === key);
  expect(some).toHaveLength(1);
  return some[0];
}

describe('an answer', () => {
  it('has its duration from the entry, and waits for nothing that the host does not send', () => {
    const story = talk('session-1', '/importers/omp');
    ask(story, 'p1', 2, { durationMs: 640.5, timeToFirstTokenMs: 90 });
    const chat = only(spansOfAll(story.events), 'chat');
    expect(timesOf(chat)).toEqual([1_000, 1_640.5, undefined]);
    expect(chat?.attributes['gen_ai.response.time_to_first_chunk']).toBe(0.09);
  });

  it('of pi before 1.0 has it from the event that the live host sends behind the entry', () => {
    const story = talk();
    ask(story, 'p1', 2);
    story.add('pi.tool.completed.v1', 2, { turnEntryId: 'answer-p1', promptEntryId: 'p1' });
    const timed = { entryId: 'answer-p1', durationMs: 996.25, timeToFirstByteMs: 120 };
    story.add('pi.turn.timed.v1', 2, timed);
    const chat = only(spansOfAll(story.events), 'chat');
    expect(timesOf(chat)).toEqual([1_000, 1_996.25, undefined]);
    expect(chat?.attributes['gen_ai.response.time_to_first_chunk']).toBe(0.12);
  });

  it('else lasts from the request to the entry, and says so', () => {
    const story = talk();
    ask(story, 'p1', 2);
    ask(story, 'p2', 9, { requestedAtMs: null });
    const chats = spansOfAll(story.events).filter(({ key }) => key === 'chat');
    expect(chats.map(timesOf)).toEqual([
      [1_000, 2_000, 'clock'],
      [9_000, 9_000, 'unknown'],
    ]);
  });

  it('does not begin after it ended: a clock that was set back is not believed', () => {
    const story = talk('session-1', '/importers/pi');
    ask(story, 'p1', 2, { requestedAtMs: startMs + 60_000 });
    expect(timesOf(only(spansOfAll(story.events), 'chat'))).toEqual([2_000, 2_000, 'unknown']);
  });
});

describe('a tool', () => {
  it.each(['before', 'after'])('has its duration from an event that comes %s it', (order) => {
    const story = talk();
    ask(story, 'p1', 2, { durationMs: 1_000, timeToFirstTokenMs: 1 });
    const tool = {
      turnEntryId: 'answer-p1',
      promptEntryId: 'p1',
      toolCallId: 'c',
      durationMs: null,
    };
    const time = () => story.add('pi.tool.timed.v1', 4, { toolCallId: 'c', durationMs: 1_500 });
    if (order === 'before') time();
    story.add('pi.tool.completed.v1', 4, tool);
    if (order === 'after') time();
    const spans = spansOfAll(story.events);
    const span = only(spans, 'tool');
    expect(timesOf(span)).toEqual([2_500, 4_000, undefined]);
    expect(span?.parentSpanId).toBe(only(spans, 'chat')?.spanId);
  });

  it('without a duration has no length', () => {
    const story = talk('session-1', '/importers/pi');
    ask(story, 'p1', 2);
    story.add('pi.tool.completed.v1', 4, { promptEntryId: 'p1', durationMs: null, isError: true });
    const span = only(spansOfAll(story.events), 'tool');
    expect(timesOf(span)).toEqual([4_000, 4_000, 'unknown']);
    expect(span?.attributes['error.type']).toBe('unknown');
  });
});

describe('a compaction', () => {
  it('has trigger and duration from the live host', () => {
    const story = talk();
    ask(story, 'p1', 2);
    story.add('pi.compaction.completed.v1', 5, { entryId: 'k', promptEntryId: 'p1' });
    story.add('pi.compaction.timed.v1', 5, { entryId: 'k', durationMs: 2_000, trigger: 'manual' });
    const span = only(spansOfAll(story.events), 'side');
    expect(timesOf(span)).toEqual([3_000, 5_000, undefined]);
    expect(span).toMatchObject({
      name: 'compaction claude-sonnet-5',
      attributes: { 'pi.compaction.trigger': 'manual', 'gen_ai.operation.name': 'chat' },
    });
  });

  it('that failed is a span, too', () => {
    const story = talk();
    ask(story, 'p1', 2);
    story.add('pi.compaction.failed.v1', 5, { durationMs: 950, aborted: false });
    const span = only(spansOfAll(story.events), 'side');
    expect(timesOf(span)).toEqual([4_050, 5_000, undefined]);
    expect(span?.attributes).toMatchObject({ 'pi.outcome': 'failed', 'error.type': 'unknown' });
  });
});
