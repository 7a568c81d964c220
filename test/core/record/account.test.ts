/** What subagents account to their parents, so that it does not count twice. */
import { describe, expect, it } from 'vitest';
import type { RecordedSession } from '../../../core/record/entry-draft.ts';
import { responseKeyOf } from '../../../core/record/subagent.ts';
import {
  accounts,
  answer,
  childByName,
  childOfTurn,
  recorded,
  resultOf,
  sum,
  task,
  usage,
} from './support/subagents.ts';

describe('an answer in a subagent’s session', () => {
  const spent = {
    inputTokens: 1,
    outputTokens: 2,
    cacheReadTokens: 3,
    cacheWriteTokens: 4,
    reasoningTokens: null,
    reported: true,
  };

  it('is accounted to the parent under the subagent’s name', () => {
    const account = recorded(answer(1), childByName).at(-1);
    expect(account).toMatchObject({
      type: 'pi.subagent.accounted.v1',
      subject: 'parent',
      time: '2026-11-22T01:00:00.000Z',
    });
    expect(account?.data).toEqual({
      childSessionId: 'child',
      childEntryId: 'e1',
      keys: ['agent:SubA'],
      accounted: { ...spent, costNanoUsd: 1_000_000_000 },
    });
  });

  it('is accounted to the parent by turn and its own key, by a child process', () => {
    const made = recorded(answer(1), childOfTurn);
    expect(made.map(({ type, subject }) => [type, subject])).toEqual([
      ['pi.turn.completed.v1', 'child'],
      ['pi.subagent.accounted.v1', 'parent'],
    ]);
    expect(accounts(made)).toMatchObject([{ keys: ['turn:t1', responseKeyOf(answer(1))] }]);
  });

  it('is another account for another parent, and the same one under other keys', () => {
    const idFor = (parent: RecordedSession['parent']) =>
      recorded(answer(1), { ...childOfTurn, parent: parent ?? null }).at(-1)?.id;
    const id = idFor({ sessionId: 'parent', key: 'turn:t1' });
    expect(idFor({ sessionId: 'parent', key: 'turn:t2' })).toBe(id);
    expect(idFor({ sessionId: 'other', key: 'turn:t1' })).not.toBe(id);
  });

  it('is not accounted without a parent', () => {
    expect(recorded(answer(1)).map(({ type }) => type)).toEqual(['pi.turn.completed.v1']);
    expect(recorded({ role: 'user', content: 'x' }, childByName).map(({ type }) => type)).toEqual([
      'pi.prompt.submitted.v1',
    ]);
  });
});

describe('a tool result in a subagent’s session', () => {
  it('accounts for nested model work under the message’s own key, which no sum includes', () => {
    const message = resultOf({}, { usage: usage(8), timestamp: 9 });
    expect(accounts(recorded(message, childOfTurn))).toMatchObject([
      { keys: [responseKeyOf(message)], accounted: { inputTokens: 8 } },
    ]);
    expect(accounts(recorded(message, childByName))).toEqual([]);
  });

  it('tells its parent what it claims, under the key that the parent would claim it by', () => {
    const messages = [{ agent: 'scout', messages: [answer(5)] }];
    expect(accounts(recorded(resultOf({ results: messages }), childOfTurn))).toMatchObject([
      { keys: [responseKeyOf(answer(5))] },
    ]);
    expect(
      accounts(recorded(resultOf({ results: [task('SubA.SubB')] }), childByName)),
    ).toMatchObject([{ keys: ['agent:SubA.SubB'] }]);
    const sums = resultOf({ results: [{ agent: 'a', usage: sum(3) }] });
    expect(accounts(recorded(sums, childOfTurn))).toMatchObject([
      { keys: ['turn:t1'], accounted: { inputTokens: 3 } },
    ]);
    expect(accounts(recorded(sums, childByName))).toEqual([]);
  });
});
