/** What tool results say of the sessions and runs of subagents. */
import { describe, expect, it } from 'vitest';
import { readEntry } from '../../../core/record/entry.ts';
import { recordLinks } from '../../../core/record/link.ts';

const session = { id: 's1', cwd: null };
const usage = { input: 3, output: 1, cacheRead: 0, cacheWrite: 0 };

function linksOf(message: object, agentId?: string) {
  const entry = readEntry({
    type: 'message',
    id: 'r1',
    parentId: 'a1',
    timestamp: '2026-03-01T09:00:00.000Z',
    message: { role: 'toolResult', toolCallId: 'c1', toolName: 'subagent', ...message },
  });
  const call = { id: 'c1', name: 'subagent', paths: [], ...(agentId !== undefined && { agentId }) };
  return entry === null ? [] : recordLinks(session, entry, { toolCalls: [call] });
}

const refsOf = (...given: Parameters<typeof linksOf>) =>
  linksOf(...given).map(({ data }) => data.ref);
const details = (runId: string | null, ...files: readonly string[]) => ({
  ...(runId !== null && { runId }),
  results: files.map((sessionFile) => ({ agent: 'scout', sessionFile })),
});
const file = '/s/p/run/run-0/session.jsonl';
const named = 'file:run/run-0/session.jsonl';

describe('a tool result that says what was spent', () => {
  it('tells the run of each subagent', () => {
    const refs = refsOf({ usage, details: details('one', file, '/s/p/run/run-1/session.jsonl') });
    expect(refs).toEqual([
      named,
      'file:run/run-1/session.jsonl',
      expect.stringMatching(/^run:[0-9a-f]{16}$/),
      expect.stringMatching(/^run:[0-9a-f]{16}$/),
    ]);
    expect(new Set(refs).size).toBe(4);
  });

  it('tells the same run again, and another one apart', () => {
    const [first, again, other] = ['one', 'one', 'two'].map((run) =>
      refsOf({ usage, details: details(run, file) }).at(-1),
    );
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  it('tells the subagent where it names no run', () => {
    expect(refsOf({ usage, details: details(null, file) })).toEqual([
      named,
      expect.stringMatching(/^same:[0-9a-f]{16}$/),
    ]);
    const asked = refsOf({ usage, details: {} }, 'agent-1');
    expect(asked).toEqual([expect.stringMatching(/^same:[0-9a-f]{16}$/)]);
    expect(refsOf({ usage, details: { agentId: 'agent-1' } })).toEqual(asked);
  });

  it('says the same as before of the session, under the same id', () => {
    const [link] = linksOf({ usage, details: details('one', file) });
    const [before] = linksOf({ details: details(null, file) });
    expect(link).toEqual(before);
  });
});

it('a result without any spend, or with answers that are claimed one by one, tells no run', () => {
  expect(refsOf({ details: details('one', file) })).toEqual([named]);
  const messages = [{ role: 'assistant', usage }];
  const results = [{ agent: 'scout', sessionFile: file, usage, messages }];
  expect(refsOf({ details: { runId: 'one', results } })).toEqual([named]);
  expect(refsOf({ usage, details: {} })).toEqual([]);
});
