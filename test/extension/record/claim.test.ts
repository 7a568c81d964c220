/** What parents claim of subagents and what subagents account for: each shape that a host or a tool writes, and whether both ends meet. */
import { describe, expect, it } from 'vitest';
import type { EventData, EventTypeName } from '../../../contract/index.ts';
import type { EventDraft } from '../../../extension/record/draft.ts';
import { readEntry } from '../../../extension/record/entry.ts';
import type { Session } from '../../../extension/record/entry-draft.ts';
import { type Place, rootPlace } from '../../../extension/record/place.ts';
import { recordEntry } from '../../../extension/record/record-entry.ts';
import { responseKeyOf } from '../../../extension/record/subagent.ts';
import { problemsOf } from '../support/schemas.ts';
import { eventsOf, sessionFiles } from '../support/sessions.ts';

const session: Session = { id: 'parent', cwd: null };
const above: Place = { ...rootPlace, turnEntryId: 'turn' };
const childOfTurn: Session = { id: 'child', cwd: null, parent: { sessionId: 'parent', key: 'turn:t1' } };
const childByName: Session = { id: 'child', cwd: null, parent: { sessionId: 'parent', key: 'agent:SubA' } };

const cost = { input: 0.1, output: 0.2, cacheRead: 0.3, cacheWrite: 0.4, total: 1 };
const usage = (input: number) => ({ input, output: 2, cacheRead: 3, cacheWrite: 4, totalTokens: input + 9, cost });
const answer = (input: number) => ({
  role: 'assistant',
  provider: 'p',
  model: 'm',
  responseId: `r${input}`,
  timestamp: input,
  usage: usage(input),
  content: [],
});
/** pi's example sums up with a plain number for the cost. */
const sum = (input: number) => ({ input, output: 2, cacheRead: 3, cacheWrite: 4, cost: 0.5, contextTokens: 9, turns: 1 });
const task = (id: string, more: object = {}) => ({ index: 0, id, agent: 'task', usage: usage(7), ...more });

function recorded(message: Record<string, unknown>, of: Session = session, at: Place = above): readonly EventDraft[] {
  const entry = readEntry({ id: 'e1', parentId: 'turn', type: 'message', timestamp: '2026-11-22T01:00:00.000Z', message });
  if (entry === null) throw new Error('not an entry');
  const made = recordEntry(of, entry, at);
  for (const draft of made) expect(problemsOf(draft)).toEqual([]);
  expect(new Set(made.map(({ id }) => id)).size).toBe(made.length);
  return made;
}

function resultOf(details: unknown, more: object = {}): Record<string, unknown> {
  return { role: 'toolResult', toolCallId: 'c1', toolName: 'subagent', content: [], details, ...more };
}

function dataOf<Name extends EventTypeName>(drafts: readonly EventDraft[], type: Name): readonly EventData<Name>[] {
  return drafts.flatMap((draft) => (draft.type === type ? [draft.data as EventData<Name>] : []));
}

const claims = (drafts: readonly EventDraft[]) => dataOf(drafts, 'pi.subagent.claimed.v1');
const accounts = (drafts: readonly EventDraft[]) => dataOf(drafts, 'pi.subagent.accounted.v1');
const keysClaimed = (drafts: readonly EventDraft[]) => claims(drafts).map(({ key }) => key);

describe('a tool result', () => {
  it('claims omp’s subagents by their names, with the model that answered', () => {
    const results = [
      task('SubA', { resolvedModelIdentity: 'p/some/model', resolvedModel: 'p/some/model:high' }),
      task('SubB', { resolvedModel: 'p/m:high', resolvedThinkingLevel: 'high' }),
      task('SubC', { usage: undefined }),
    ];
    expect(claims(recorded(resultOf({ results })))).toMatchObject([
      {
        entryId: 'e1',
        turnEntryId: 'turn',
        toolCallId: 'c1',
        agentName: 'task',
        key: 'agent:SubA',
        claimed: { provider: 'p', model: 'some/model', inputTokens: 7, outputTokens: 2, costNanoUsd: 1_000_000_000, rawUsage: usage(7) },
      },
      { key: 'agent:SubB', claimed: { provider: 'p', model: 'm' } },
    ]);
  });

  it('claims the subagents of omp’s subagents too', () => {
    const inner = task('SubA.SubB', { extractedToolData: { yield: [{}], task: [{ results: [task('SubA.SubB.C')] }] } });
    const results = [task('SubA', { extractedToolData: { task: [{ results: [inner, inner] }, null] } })];
    expect(keysClaimed(recorded(resultOf({ results })))).toEqual(['agent:SubA', 'agent:SubA.SubB', 'agent:SubA.SubB.C']);
  });

  it('claims each answer that a tool of pi repeats, and not their sum', () => {
    const messages = [{ role: 'user', content: 'x' }, answer(1), resultOf({ ok: true }), answer(2), answer(2)];
    const made = recorded(resultOf({ results: [{ agent: 'worker', usage: sum(3), messages }] }));
    expect(claims(made)).toMatchObject([
      { agentName: 'worker', key: responseKeyOf(answer(1)), claimed: { inputTokens: 1, provider: 'p', model: 'm', responseId: 'r1' } },
      { agentName: 'worker', key: responseKeyOf(answer(2)), claimed: { inputTokens: 2, rawUsage: usage(2) } },
    ]);
  });

  it('claims what the answers’ own tool results repeat, further down, and what their tools spent', () => {
    const grandchild = { agent: 'scout', usage: sum(5), messages: [answer(5)] };
    const inner = { ...resultOf({ results: [grandchild] }), toolCallId: 'inner' };
    const withModel = { ...resultOf({}), toolCallId: 'other', timestamp: 9, usage: usage(8) };
    const messages = [answer(1), inner, inner, withModel, answer(2)];
    const made = recorded(resultOf({ results: [{ agent: 'worker', messages }] }));
    expect(claims(made).map(({ key, agentName }) => [agentName, key])).toEqual([
      ['worker', responseKeyOf(answer(1))],
      ['scout', responseKeyOf(answer(5))],
      ['worker', responseKeyOf(withModel)],
      ['worker', responseKeyOf(answer(2))],
    ]);
  });

  it('claims a sum by its turn where no answers are kept, equal sums included', () => {
    const results = [{ agent: 'a', usage: sum(3) }, { agent: 'b', usage: sum(3), messages: [] }, { agent: 'c' }];
    expect(claims(recorded(resultOf({ results })))).toMatchObject([
      { key: 'turn:turn', agentName: 'a', claimed: { inputTokens: 3, costNanoUsd: 500_000_000, costSource: 'catalog', rawUsage: sum(3) } },
      { key: 'turn:turn', agentName: 'b', claimed: { inputTokens: 3 } },
    ]);
    expect(keysClaimed(recorded(resultOf({ results }), session, rootPlace))).toEqual(['turn:e1', 'turn:e1']);
  });

  it('claims nothing when the host books the tool’s spend on it', () => {
    const made = recorded(resultOf({ results: [{ agent: 'a', usage: sum(3) }] }, { usage: usage(3) }));
    expect(made.map(({ type }) => type)).toEqual(['pi.tool.completed.v1']);
    expect(made[0]?.data).toMatchObject({ spend: { inputTokens: 3 } });
  });

  it('claims none of omp’s subagents in a session without a file, which they cannot name', () => {
    const results = [task('SubA'), { agent: 'worker', messages: [answer(1)] }];
    expect(keysClaimed(recorded(resultOf({ results }), { ...session, isMemoryOnly: true }))).toEqual([responseKeyOf(answer(1))]);
  });

  it.each([null, 'x', [], {}, { results: null }, { results: [] }, { results: [null, 7, [], {}, { usage: 3 }, { messages: [null, 3] }] }])(
    'claims nothing for details like %j',
    (details) => {
      expect(recorded(resultOf(details)).map(({ type }) => type)).toEqual(['pi.tool.completed.v1']);
    },
  );

  it('survives details that hold themselves', () => {
    const details: { results: object[] } = { results: [] };
    details.results.push({ agent: 'a', messages: [answer(1), resultOf(details)] });
    expect(keysClaimed(recorded(resultOf(details)))).toEqual([responseKeyOf(answer(1))]);
  });
});

describe('an answer in a subagent’s session', () => {
  const spent = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4, reasoningTokens: null, reported: true };

  it('is told to the parent under the subagent’s name', () => {
    const account = recorded(answer(1), childByName).at(-1);
    expect(account).toMatchObject({ type: 'pi.subagent.accounted.v1', subject: 'parent', time: '2026-11-22T01:00:00.000Z' });
    expect(account?.data).toEqual({
      childSessionId: 'child',
      childEntryId: 'e1',
      keys: ['agent:SubA'],
      accounted: { ...spent, costNanoUsd: 1_000_000_000 },
    });
  });

  it('is told to the parent under the turn and its own key, by a child process', () => {
    const made = recorded(answer(1), childOfTurn);
    expect(made.map(({ type, subject }) => [type, subject])).toEqual([
      ['pi.turn.completed.v1', 'child'],
      ['pi.subagent.accounted.v1', 'parent'],
    ]);
    expect(accounts(made)).toMatchObject([{ keys: ['turn:t1', responseKeyOf(answer(1))] }]);
  });

  it('is another account for another parent, and the same one under other keys', () => {
    const idFor = (parent: Session['parent']) => recorded(answer(1), { ...childOfTurn, parent: parent ?? null }).at(-1)?.id;
    const id = idFor({ sessionId: 'parent', key: 'turn:t1' });
    expect(idFor({ sessionId: 'parent', key: 'turn:t2' })).toBe(id);
    expect(idFor({ sessionId: 'other', key: 'turn:t1' })).not.toBe(id);
  });

  it('is told to nobody where there is no parent', () => {
    expect(recorded(answer(1)).map(({ type }) => type)).toEqual(['pi.turn.completed.v1']);
    expect(recorded({ role: 'user', content: 'x' }, childByName).map(({ type }) => type)).toEqual(['pi.prompt.submitted.v1']);
  });
});

describe('a tool result in a subagent’s session', () => {
  it('accounts for nested model work under the message’s own key, which no sum of answers has in it', () => {
    const message = resultOf({}, { usage: usage(8), timestamp: 9 });
    expect(accounts(recorded(message, childOfTurn))).toMatchObject([{ keys: [responseKeyOf(message)], accounted: { inputTokens: 8 } }]);
    expect(accounts(recorded(message, childByName))).toEqual([]);
  });

  it('tells its parent what it claims, under the key that the parent would claim it by', () => {
    const messages = [{ agent: 'scout', messages: [answer(5)] }];
    expect(accounts(recorded(resultOf({ results: messages }), childOfTurn))).toMatchObject([{ keys: [responseKeyOf(answer(5))] }]);
    expect(accounts(recorded(resultOf({ results: [task('SubA.SubB')] }), childByName))).toMatchObject([{ keys: ['agent:SubA.SubB'] }]);
    const sums = resultOf({ results: [{ agent: 'a', usage: sum(3) }] });
    expect(accounts(recorded(sums, childOfTurn))).toMatchObject([{ keys: ['turn:t1'], accounted: { inputTokens: 3 } }]);
    expect(accounts(recorded(sums, childByName))).toEqual([]);
  });
});

describe('recorded sessions of parents, children and grandchildren', () => {
  const files = (name: string) => sessionFiles.filter((file) => file.name.includes(name));

  it('meet by name in omp, sum by sum', () => {
    const drafts = files('nested-task').flatMap(({ header, entries, parent }) => eventsOf(header, entries, parent));
    const claimed = claims(drafts).map(({ key, claimed: { inputTokens, outputTokens } }) => [key, inputTokens, outputTokens]);
    expect(claimed).toEqual([
      ['agent:SubA', 321, 145],
      ['agent:SubA.SubA', 1005, 453],
      ['agent:SubA.SubA', 1005, 453],
    ]);
    for (const draft of drafts.filter(({ type }) => type === 'pi.subagent.claimed.v1')) {
      const { key, claimed: claim } = draft.data as EventData<'pi.subagent.claimed.v1'>;
      const told = accounts(drafts.filter(({ subject }) => subject === draft.subject)).filter(({ keys }) => keys.includes(key));
      for (const measure of ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const)
        expect(told.reduce((total, { accounted }) => total + accounted[measure], 0)).toBe(claim[measure]);
    }
  });

  it('meet answer by answer in pi', () => {
    const [root, child, grandchild] = files('nested-subagent');
    const turnOf = (file: typeof root) => claims(eventsOf(file?.header as never, file?.entries ?? []))[0]?.turnEntryId;
    const events = (file: typeof root, of: typeof root) =>
      eventsOf(file?.header as never, file?.entries ?? [], { sessionId: of?.header.id ?? '', key: `turn:${turnOf(of)}` });
    const drafts = [...eventsOf(root?.header as never, root?.entries ?? []), ...events(child, root), ...events(grandchild, child)];
    for (const parent of [root, child]) {
      const told = drafts.filter(({ subject }) => subject === parent?.header.id);
      const keys = accounts(told).flatMap((account) => account.keys);
      expect(keysClaimed(told).filter((key) => !keys.includes(key))).toEqual([]);
      expect(keysClaimed(told).length).toBe(parent === root ? 8 : 6);
    }
  });
});
