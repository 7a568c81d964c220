/** Lines of files that are no sessions, told apart from entries; and what streams prove. */
import { describe, expect, it } from 'vitest';
import { addPrinted, isOfRun, isPrinted } from '../../../../collector/reconcile/files/file-head.ts';

describe('what a host prints', () => {
  it.each([
    'agent_start',
    'agent_end',
    'agent_settled',
    'turn_start',
    'turn_end',
    'message_start',
    'message_update',
    'message_end',
    'tool_execution_start',
    'tool_execution_update',
    'tool_execution_end',
  ])('is known by its type: %s', (type) => expect(isPrinted({ type })).toBe(true));

  it.each<[what: string, line: Record<string, unknown>]>([
    ['has a time', { type: 'turn_end', timestamp: '2026-03-01T09:00:00.000Z' }],
    ['has an id', { type: 'turn_end', id: 'a1' }],
    ['has no type', {}],
    ['has a type that is no text', { type: ['turn_end'] }],
    ['is of another kind', { type: 'session_start' }],
    ['says something else of it', { type: 'turn_begin' }],
    ['says nothing of it', { type: 'turn_' }],
    ['says it of nothing', { type: '_end' }],
    ['is one word', { type: 'end' }],
    ['is longer', { type: 'message_end_start' }],
  ])('is something else where it %s', (_what, line) => expect(isPrinted(line)).toBe(false));
});

describe('what packages write down of a run', () => {
  const timestamp = '2026-03-01T09:00:00.000Z';

  it.each<[what: string, line: Record<string, unknown>]>([
    ['an event', { runId: 'r', type: 'subagent.run.started' }],
    ['a record', { runId: 'r', recordType: 'message' }],
    ['a record with a time', { runId: 'r', recordType: 'message', timestamp }],
    ['a record with a type', { runId: 'r', recordType: 'message', type: 'x' }],
    ['a number for a time', { runId: 'r', type: 'x', timestamp: 5 }],
    ['a number for a type', { runId: 'r', type: 5, timestamp }],
  ])('names the run: %s', (_what, line) => expect(isOfRun(line)).toBe(true));

  it.each<[what: string, line: Record<string, unknown>]>([
    ['names no run', { type: 'subagent.run.started' }],
    ['names a run of no name', { runId: '', type: 'subagent.run.started' }],
    ['names a run by number', { runId: 5, type: 'subagent.run.started' }],
    ['is an entry that a host saved', { runId: 'r', type: 'custom', timestamp }],
    ['has no type', { runId: 'r' }],
    ['has null for a type', { runId: 'r', type: null, recordType: null }],
  ])('is something else where it %s', (_what, line) => expect(isOfRun(line)).toBe(false));
});

describe('a printed answer', () => {
  const usage = { input: 10, output: 1 };
  const message = { role: 'assistant', usage, timestamp: 5, responseId: 'r' };
  const end = { type: 'message_end', message };

  /** When each was asked for. */
  function askedAt(...lines: readonly Record<string, unknown>[]) {
    const answers = new Map<string, number | null>();
    for (const line of lines) addPrinted(answers, line);
    return [...answers.values()];
  }

  it('counts once, however often it is printed', () => expect(askedAt(end, end)).toEqual([5]));

  it.each<[what: string, over: Record<string, unknown>, askedAtMs: number | null]>([
    ['when it was asked for', { timestamp: 6 }, 6],
    ['who gave it', { responseId: 's' }, 5],
    ['what it spent', { usage: { input: 11 } }, 5],
    ['a time that is none', { timestamp: 'now' }, null],
  ])('is another one by %s', (_what, over, askedAtMs) => {
    expect(askedAt(end, { ...end, message: { ...message, ...over } })).toEqual([5, askedAtMs]);
  });

  it.each<[what: string, line: Record<string, unknown>]>([
    ['is not complete', { ...end, type: 'message_update' }],
    ['is the user’s', { ...end, message: { ...message, role: 'user' } }],
    ['reported nothing', { ...end, message: { ...message, usage: { input: 0, output: 0 } } }],
    ['has no usage', { ...end, message: { ...message, usage: undefined } }],
    ['has no message', { type: 'message_end' }],
  ])('is none where it %s', (_what, line) => expect(askedAt(line)).toEqual([]));
});
