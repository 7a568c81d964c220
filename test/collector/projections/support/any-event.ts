/**
 * Any events of two sessions, for property tests of the fold: few times, names and figures, so that
 * they collide.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import fc from 'fast-check';
import { anyNote } from './any-note.ts';
import { attributed, event, spendOf, turn } from './given.ts';

/**
 * A few hours around midnight, at only a few seconds, so that times collide and cells are shared.
 */
const time = fc
  .tuple(fc.integer({ min: 0, max: 80 }), fc.constantFrom(0, 1, 59_999))
  .map(([minutes, ms]) =>
    new Date(Date.parse('2026-11-21T23:10:00.000Z') + minutes * 60_000 + ms).toISOString(),
  );
const session = fc.constantFrom('s1', 's1', 's2');
const provider = fc.constantFrom('anthropic', 'openai', null);
/** As hosts write them, and as only a stranger would. */
const hostCosts = [
  { cost: { input: 3e-9, output: 4e-9, cacheRead: 0, cacheWrite: 0, total: 7e-9 } },
  { cost: { input: 2e-9, cacheRead: 1e-9 } },
  { cost: { input: -5, output: '7', cacheRead: null, cacheWrite: 900_000 } },
  { cost: 7e-9 },
];
const spend = fc
  .record({
    provider,
    model: fc.constantFrom('large', 'small', null),
    inputTokens: fc.nat(99),
    outputTokens: fc.constantFrom(0, 9, 5_000),
    reasoningTokens: fc.constantFrom(null, 3),
    costNanoUsd: fc.constantFrom(0, 7, null, Number.MAX_SAFE_INTEGER),
    costSource: fc.constantFrom('provider' as const, 'catalog' as const),
    rawUsage: fc.constantFrom({}, ...hostCosts),
  })
  .map((wish) =>
    spendOf({ ...wish, costSource: wish.costNanoUsd === null ? 'unpriced' : wish.costSource }),
  );
const answered = fc.record({
  thinkingLevel: fc.constantFrom('high', 'off', null),
  stopReason: fc.constantFrom('stop', 'toolUse', null),
});
const attribution = fc.record({
  basis: fc.constantFrom('live' as const, 'live' as const, 'import' as const),
  project: fc.constantFrom('shop', 'side'),
  branch: fc.constantFrom('main', null),
  user: fc.constantFrom('ada', 'grace'),
  offset: fc.constantFrom(0, 60, -300, 345, 570),
  host: fc.constantFrom('pi' as const, 'omp' as const),
  agent: fc.constantFrom(
    { kind: 'main' as const, name: null },
    { kind: 'subagent' as const, name: 'scout' },
  ),
  billing: fc.dictionary(
    fc.constantFrom('anthropic', 'openai'),
    fc.constantFrom('metered' as const, 'subscription' as const),
  ),
});

/**
 * A subagent's answer is the same for everybody: claims and accounts of one response key share a
 * figure and a turn.
 */
const answer = fc.nat(3).map((number) => ({
  turn: `turn:t${number % 2}`,
  response: `response:${String(number).padStart(16, '0')}`,
  spend: spendOf({
    model: 'small',
    inputTokens: 10 + number,
    outputTokens: 3,
    costNanoUsd: 100 * number,
    rawUsage: { cost: { input: 60e-9 * number, output: 30e-9 * number } },
  }),
}));
const sharedKey = fc.constantFrom('agent:A', 'agent:B', 'turn:t0', 'turn:t1');
const claim = fc.oneof(
  fc.tuple(sharedKey, spend).map(([key, claimed]) => ({ key, claimed })),
  answer.map(({ response, spend: claimed }) => ({ key: response, claimed })),
);
const account = fc.oneof(
  fc.tuple(sharedKey, spend).map(([key, accounted]) => ({ keys: [key], accounted })),
  answer.map(({ turn: key, response, spend: accounted }) => ({ keys: [key, response], accounted })),
  answer.map(({ response, spend: accounted }) => ({ keys: [response], accounted })),
);

const claimEvent: fc.Arbitrary<LedgerEvent> = fc.oneof(
  fc
    .tuple(time, session, claim)
    .map(([at, name, data]) => event('pi.subagent.claimed.v1', { at, session: name }, data)),
  fc
    .tuple(time, session, account)
    .map(([at, name, data]) => event('pi.subagent.accounted.v1', { at, session: name }, data)),
  fc
    .tuple(time, session, spend, fc.constantFrom('t0', 't1', null))
    .map(([at, name, spent, turnEntryId]) =>
      event('pi.tool.completed.v1', { at, session: name }, { spend: spent, turnEntryId }),
    ),
);

export const otherEvent: fc.Arbitrary<LedgerEvent> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(time, session, spend, answered)
      .map(([at, name, spent, how]) => turn(at, spent, name, how)),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(time, session, attribution)
      .map(([at, name, wish]) => attributed(at, wish, name)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        time,
        session,
        fc.constantFrom(
          'pi.tool.completed.v1' as const,
          'pi.compaction.completed.v1' as const,
          'pi.branch.summarized.v1' as const,
        ),
        fc.option(spend),
      )
      .map(([at, name, type, spent]) =>
        event(
          type,
          { at, session: name },
          { spend: spent, ...(type === 'pi.tool.completed.v1' ? { turnEntryId: null } : {}) },
        ),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(time, session, fc.constantFrom('read', 'bash', 'edit', 'grep', 'sql'), fc.boolean())
      .map(([at, name, toolName, isError]) =>
        event('pi.tool.completed.v1', { at, session: name }, { toolName, isError, spend: null }),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(time, session, spend)
      .map(([at, name, spent]) =>
        event('pi.usage.recorded.v1', { at, session: name }, { kind: 'side_call', spend: spent }),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(time, session, fc.constantFrom('s1', 's2', null))
      .map(([at, name, parent]) =>
        event('pi.session.started.v1', { at, session: name }, { parentSessionId: parent }),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(time, session, fc.constantFrom('c1', 'c2'), fc.nat(2), fc.boolean())
      .map(([at, name, copySessionId, entries, ownerAssumed]) =>
        event(
          'pi.session.copied.v1',
          { at, session: name },
          { copySessionId, entries, ownerAssumed },
        ),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(time, session, provider, fc.nat(9), fc.constantFrom(null, 5))
      .map(([at, name, provided, tokensMax, costNanoUsdMax]) =>
        event(
          'pi.attempt.estimated.v1',
          { at, session: name },
          { provider: provided, model: 'large', tokensMax, costNanoUsdMax },
        ),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(time, session, fc.constantFrom('quit', 'fork', null))
      .map(([at, name, reason]) => event('pi.session.ended.v1', { at, session: name }, { reason })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        time,
        session,
        fc.constantFrom(
          'pi.prompt.submitted.v1' as const,
          'pi.run.completed.v1' as const,
          'pi.compaction.failed.v1' as const,
          'pi.producer.reported.v1' as const,
        ),
      )
      .map(([at, name, type]) => event(type, { at, session: name })),
  },
  { weight: 2, arbitrary: anyNote(time, session) },
);

/** Taken back by later events, like claims: counters only take growth. */
const requestsEvent: fc.Arbitrary<LedgerEvent> = fc
  .tuple(time, session, provider, fc.nat(3), fc.nat(3))
  .map(([at, name, asked, unexplained, explainedLater]) =>
    event(
      'pi.requests.observed.v1',
      { at, session: name },
      { host: 'llm.example', provider: asked, unexplained, explainedLater },
    ),
  );

/** Taken back by what tells more of the session. */
const streamedEvent: fc.Arbitrary<LedgerEvent> = fc
  .tuple(time, session, spend)
  .map(([at, name, printed]) => event('pi.answer.streamed.v1', { at, session: name }, { printed }));

export const anyEvent = fc.oneof(
  { weight: 9, arbitrary: otherEvent },
  { weight: 1, arbitrary: requestsEvent },
  { weight: 1, arbitrary: streamedEvent },
  { weight: 6, arbitrary: claimEvent },
);

/**
 * Entries from a copy that lost its price, some with the figures of a record that the session made
 * itself.
 */
export const copyEvent: fc.Arbitrary<LedgerEvent> = fc
  .tuple(
    time,
    session,
    spend,
    fc.constantFrom('named' as const, 'assumed' as const, 'unsure' as const),
    fc.constantFrom('pi.turn.completed.v1' as const, 'pi.tool.completed.v1' as const),
  )
  .map(([at, name, spent, ownership, type]): LedgerEvent => {
    const lost = spendOf({ ...spent, costNanoUsd: null, costSource: 'unpriced' });
    const turnOf = type === 'pi.tool.completed.v1' ? { turnEntryId: null } : {};
    return {
      ...event(type, { at, session: name, source: '/importers/omp' }, { spend: lost, ...turnOf }),
      ownership,
    };
  });

/** The same events in two orders. */
export function inTwoOrders(each: fc.Arbitrary<LedgerEvent>) {
  return fc
    .array(each, { maxLength: 40, size: 'max' })
    .chain((events) =>
      fc.tuple(
        fc.constant(events),
        fc.shuffledSubarray(events, { minLength: events.length, maxLength: events.length }),
      ),
    );
}
