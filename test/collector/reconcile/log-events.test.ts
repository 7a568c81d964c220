/** What reconcile makes of the API's events, including damaged ones. */
import { describe, expect, it } from 'vitest';
import { readEvent } from '../../../collector/reconcile/log-events.ts';
import { identityOf } from '../../../collector/reconcile/unit.ts';
import { event, rawUsage, spend, time } from './support/log-events.ts';
import { noTokens } from './support/units.ts';

const turn = (over: object = {}) =>
  event('pi.turn.completed.v1', { entryId: 'e1', spend: { ...spend, ...over } });

function unitIn(given: Parameters<typeof readEvent>[0]) {
  const said = readEvent(given);
  if (said.about !== 'unit') throw new Error(`it is about ${said.about}`);
  return said.unit;
}

describe('an event of the log', () => {
  it('of spend has every figure', () => {
    expect(unitIn(turn())).toEqual({
      sessionId: 's',
      kind: 'turn',
      claimKey: null,
      turnEntryId: null,
      entryId: 'e1',
      timeMs: Date.parse(time),
      provider: 'p',
      model: 'm',
      tokens: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, reasoning: 5, cacheWrite1h: 6 },
      reported: true,
      nanoUsd: 7,
      priceSource: 'provider',
      identity: identityOf('e1', Date.parse(time), 'r1', rawUsage, null),
    });
  });

  it.each([
    ['pi.turn.completed.v1', {}, 'turn'],
    ['pi.tool.completed.v1', {}, 'tool'],
    ['pi.compaction.completed.v1', {}, 'compaction'],
    ['pi.branch.summarized.v1', {}, 'branch_summary'],
    ['pi.usage.recorded.v1', { kind: 'cache_warm' }, 'cache_warm'],
  ])('%s is spend of its kind', (type, more, kind) => {
    expect(unitIn(event(type, { entryId: 'e1', spend, ...more }))).toMatchObject({
      kind,
      claimKey: null,
      nanoUsd: 7,
    });
  });

  it.each([
    'pi.turn.completed.v1',
    'pi.tool.completed.v1',
    'pi.session.ended.v1',
    'pi.tool.timed.v1',
    'nonsense',
  ])('%s without spend is about nothing that counts', (type) =>
    expect(readEvent(event(type, { spend: null }))).toEqual({ about: 'other' }),
  );

  it.each([
    ['pi.session.started.v1', 'started'],
    ['pi.answer.streamed.v1', 'streamed'],
  ])('%s says that its session has %s', (type, about) => {
    const { subject: sessionId } = event(type, {});
    expect(readEvent(event(type, {}))).toEqual({ about, sessionId });
  });

  it.each(['pi.compaction.completed.v1', 'pi.branch.summarized.v1'])(
    '%s without spend is a record of unknown cost where an extension made the summary',
    (type) => {
      const made = (fromExtension: unknown) => event(type, { entryId: 'e1', fromExtension });
      expect(unitIn(made(true))).toMatchObject({ entryId: 'e1', reported: false, nanoUsd: null });
      for (const other of [false, 1, undefined])
        expect(readEvent(made(other))).toEqual({ about: 'other' });
      expect(unitIn(event(type, { entryId: 'e1', fromExtension: true, spend })).nanoUsd).toBe(7);
    },
  );

  it('that leaves out what a provider spent around the answer has it in its raw usage', () => {
    const around = { input: 10, output: 20, cacheRead: 30, cacheWrite: 40 };
    const tokensOf = (more: object, orchestration: unknown = around) =>
      unitIn(turn({ rawUsage: { ...rawUsage, orchestration }, ...more })).tokens;
    const counted = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
    expect(tokensOf({})).toMatchObject({ ...counted, input: 11, output: 22, cacheRead: 33 });
    expect(tokensOf({ orchestration: { input: 9 } })).toMatchObject(counted);
    expect(tokensOf({}, 'much')).toMatchObject(counted);
  });

  it('of usage is a record even where its spend is gone', () => {
    expect(unitIn(event('pi.usage.recorded.v1', { entryId: 'e1', kind: 'x' }))).toMatchObject({
      kind: 'x',
      reported: false,
      nanoUsd: null,
    });
  });

  it('of a copied session is about copies', () => {
    expect(readEvent(event('pi.session.copied.v1', {}))).toEqual({ about: 'copies' });
  });

  it('of a claim is known by its key, not by the answer that it repeats', () => {
    const said = unitIn(
      event('pi.subagent.claimed.v1', {
        entryId: 'e1',
        key: 'agent:A',
        turnEntryId: 't1',
        claimed: spend,
      }),
    );
    const identity = identityOf('e1', Date.parse(time), null, rawUsage, 'agent:A');
    expect(said).toMatchObject({
      kind: 'claim',
      claimKey: 'agent:A',
      turnEntryId: 't1',
      nanoUsd: 7,
      identity,
    });
    expect(
      unitIn(event('pi.subagent.claimed.v1', { entryId: 'e1', key: 'agent:A' })).reported,
    ).toBe(false);
  });

  it.each<[what: string, over: object, expected: object]>([
    ['an empty name', { provider: '', model: 5 }, { provider: null, model: null }],
    [
      'counts that are none',
      { inputTokens: '1', outputTokens: 1.5 },
      { tokens: expect.objectContaining({ input: 0, output: 0 }) },
    ],
    [
      'a count beyond what is exact',
      { cacheReadTokens: 2 ** 53 },
      { tokens: expect.objectContaining({ cacheRead: 0 }) },
    ],
    ['an amount that is no whole number', { costNanoUsd: 1.5 }, { nanoUsd: null }],
    ['an amount as text', { costNanoUsd: '7' }, { nanoUsd: null }],
    ['an unknown source', { costSource: 'guess' }, { priceSource: 'unpriced' }],
    ['a list price', { costSource: 'catalog' }, { priceSource: 'catalog' }],
    ['a truth that is none', { reported: 1 }, { reported: false }],
  ])('takes nothing for granted: %s', (_what, over, expected) =>
    expect(unitIn(turn(over))).toMatchObject(expected),
  );

  it('without data, or with data that is no object, is about nothing or nobody', () => {
    expect(readEvent({ type: 'pi.turn.completed.v1' })).toEqual({ about: 'other' });
    expect(unitIn({ type: 'pi.usage.recorded.v1', data: [] })).toMatchObject({
      sessionId: 'undefined',
      timeMs: Number.NaN,
      tokens: noTokens,
    });
  });
});

describe('an account of a subagent', () => {
  const accounted = { ...spend, costNanoUsd: 9 };
  const account = (more: object = {}) =>
    readEvent(
      event('pi.subagent.accounted.v1', {
        childSessionId: 'c',
        childEntryId: 'ce',
        keys: ['turn:t1', 'response:1'],
        accounted,
        ...more,
      }),
    );

  it('says whose answer it is, and what it was', () => {
    expect(account()).toEqual({
      about: 'account',
      account: {
        parentSessionId: 's',
        childSessionId: 'c',
        childEntryId: 'ce',
        keys: ['turn:t1', 'response:1'],
        timeMs: Date.parse(time),
        accounted: {
          inputTokens: 1n,
          outputTokens: 2n,
          cacheReadTokens: 3n,
          cacheWriteTokens: 4n,
          reasoningTokens: 5n,
          nanoUsd: 9n,
        },
      },
    });
  });

  it.each([
    ['of an attempt that reported nothing', { accounted: { ...accounted, reported: false } }],
    ['without figures', { accounted: null }],
  ])('%s covers nothing', (_what, more) => expect(account(more)).toEqual({ about: 'other' }));

  it('without keys covers nothing of anybody', () =>
    expect(account({ keys: 'turn:t1' })).toMatchObject({ account: { keys: [] } }));
});
