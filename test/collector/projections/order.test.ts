import type { LedgerEvent } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { producers } from '../../../collector/projections/producers.ts';
import { noRules } from '../../../collector/projections/rules.ts';
import { createSessions } from '../../../collector/projections/sessions.ts';
import { totals } from '../../../collector/projections/totals.ts';
import { usage } from '../../../collector/projections/usage.ts';
import { fold } from './fold.ts';
import { attributed, event, limitsWide, spendOf, turn } from './given.ts';
import { expectedUsage } from './reference.ts';

/** A couple of hours around midnight, on a few seconds only, so that times collide and cells are shared. */
const time = fc
  .tuple(fc.integer({ min: 0, max: 80 }), fc.constantFrom(0, 1, 59_999))
  .map(([minutes, ms]) => new Date(Date.parse('2026-11-21T23:10:00.000Z') + minutes * 60_000 + ms).toISOString());
const session = fc.constantFrom('s1', 's1', 's2');
const provider = fc.constantFrom('anthropic', 'openai', null);
const spend = fc
  .record({
    provider,
    model: fc.constantFrom('large', 'small'),
    inputTokens: fc.nat(99),
    outputTokens: fc.constantFrom(0, 9, 5_000),
    reasoningTokens: fc.constantFrom(null, 3),
    costNanoUsd: fc.constantFrom(0, 7, null, Number.MAX_SAFE_INTEGER),
  })
  .map((wish) => spendOf({ ...wish, costSource: wish.costNanoUsd === null ? 'unpriced' : 'catalog' }));
const attribution = fc.record({
  basis: fc.constantFrom('live' as const, 'live' as const, 'import' as const),
  project: fc.constantFrom('shop', 'side'),
  branch: fc.constantFrom('main', null),
  user: fc.constantFrom('ada', 'grace'),
  offset: fc.constantFrom(0, 60, -300, 345, 570),
  host: fc.constantFrom('pi' as const, 'omp' as const),
  billing: fc.dictionary(fc.constantFrom('anthropic', 'openai'), fc.constantFrom('metered' as const, 'subscription' as const)),
});

/** An answer of a subagent says the same to everybody: claims and accounts of one response key have one figure, and one turn. */
const answer = fc.nat(3).map((number) => ({
  turn: `turn:t${number % 2}`,
  response: `response:${String(number).padStart(16, '0')}`,
  spend: spendOf({ model: 'small', inputTokens: 10 + number, outputTokens: 3, costNanoUsd: 100 * number }),
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
  fc.tuple(time, session, claim).map(([at, name, data]) => event('pi.subagent.claimed.v1', { at, session: name }, data)),
  fc.tuple(time, session, account).map(([at, name, data]) => event('pi.subagent.accounted.v1', { at, session: name }, data)),
  fc
    .tuple(time, session, spend, fc.constantFrom('t0', 't1', null))
    .map(([at, name, spent, turnEntryId]) => event('pi.tool.completed.v1', { at, session: name }, { spend: spent, turnEntryId })),
);

const otherEvent: fc.Arbitrary<LedgerEvent> = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(time, session, spend).map(([at, name, spent]) => turn(at, spent, name)) },
  { weight: 5, arbitrary: fc.tuple(time, session, attribution).map(([at, name, wish]) => attributed(at, wish, name)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        time,
        session,
        fc.constantFrom('pi.tool.completed.v1' as const, 'pi.compaction.completed.v1' as const, 'pi.branch.summarized.v1' as const),
        fc.option(spend),
      )
      .map(([at, name, type, spent]) =>
        event(type, { at, session: name }, { spend: spent, ...(type === 'pi.tool.completed.v1' ? { turnEntryId: null } : {}) }),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(time, session, fc.constantFrom('read', 'bash', 'edit', 'grep', 'sql'), fc.boolean())
      .map(([at, name, toolName, isError]) => event('pi.tool.completed.v1', { at, session: name }, { toolName, isError, spend: null })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(time, session, spend)
      .map(([at, name, spent]) => event('pi.usage.recorded.v1', { at, session: name }, { kind: 'side_call', spend: spent })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(time, session, fc.constantFrom('s1', 's2', null))
      .map(([at, name, parent]) => event('pi.session.started.v1', { at, session: name }, { parentSessionId: parent })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(time, session, fc.constantFrom('c1', 'c2'), fc.nat(2), fc.boolean())
      .map(([at, name, copySessionId, entries, ownerAssumed]) =>
        event('pi.session.copied.v1', { at, session: name }, { copySessionId, entries, ownerAssumed }),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(time, session, provider, fc.nat(9), fc.constantFrom(null, 5))
      .map(([at, name, provided, tokensMax, costNanoUsdMax]) =>
        event('pi.attempt.estimated.v1', { at, session: name }, { provider: provided, model: 'large', tokensMax, costNanoUsdMax }),
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
);

const anyEvent = fc.oneof({ weight: 3, arbitrary: otherEvent }, { weight: 2, arbitrary: claimEvent });

/** The same events twice, the second time in another order. */
const twoOrders = inTwoOrders(anyEvent);

function inTwoOrders(each: fc.Arbitrary<LedgerEvent>) {
  return fc
    .array(each, { maxLength: 40, size: 'max' })
    .chain((events) => fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length, maxLength: events.length })));
}

const limits = {
  wide: limitsWide,
  narrow: { attributionsMax: 3, cellsMax: 2, toolNamesMax: 2, claimsMax: 6, copiesMax: 1 },
};

describe.each(Object.entries(limits))('sessions, whatever the order of events (%s limits)', (_name, each) => {
  const sessions = createSessions(noRules, each);

  it('gives the same documents and the same usage', () => {
    fc.assert(
      fc.property(twoOrders, ([given, shuffled]) => {
        const [one, other] = [fold(sessions, given), fold(sessions, shuffled, { isReloaded: true })];
        expect(other.documents()).toEqual(one.documents());
        expect(other.rows(usage, ...usage.dimensions)).toEqual(one.rows(usage, ...usage.dimensions));
      }),
      { numRuns: 200 },
    );
  });

  it('gives the usage that somebody would work out who knew everything from the start', () => {
    fc.assert(
      fc.property(twoOrders, ([, given]) => {
        const rows = fold(sessions, given).rows(usage, ...usage.dimensions);
        expect(withoutZeros(rows)).toEqual(withoutZeros(expectedUsage(given, each)));
      }),
      { numRuns: 200 },
    );
  });

  it('counts in the totals what it counts in usage, without estimates, where nothing is claimed', () => {
    fc.assert(
      fc.property(inTwoOrders(otherEvent), ([given]) => {
        const { unreportedTokensMax, unreportedNanoUsdMax, ...counted } = fold(sessions, given).rows(usage)[''] ?? {};
        expect(withoutZeros({ '': counted })).toEqual(withoutZeros(fold(sessions, given).rows(totals)));
      }),
      { numRuns: 200 },
    );
  });

  it('never takes anything back from the totals', () => {
    fc.assert(
      fc.property(twoOrders, ([given]) => {
        const { emitted } = fold(sessions, given);
        expect(emitted.filter(({ rollup, measures }) => rollup === totals && measures.some((measure) => measure < 0n))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('counts no less in the totals than in usage, as long as every claim is compared by itself', () => {
    const exact = createSessions(noRules, { ...each, claimsMax: limitsWide.claimsMax });
    fc.assert(
      fc.property(twoOrders, ([given]) => {
        const folded = fold(exact, given);
        const [total, used] = [folded.rows(totals)[''] ?? {}, folded.rows(usage)[''] ?? {}];
        expect(totals.measures.filter((name) => (total[name] ?? 0n) < (used[name] ?? 0n))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

function withoutZeros(rows: Readonly<Record<string, Readonly<Record<string, bigint>>>>): Record<string, Record<string, bigint>> {
  const present = Object.entries(rows).map(
    ([key, row]) => [key, Object.fromEntries(Object.entries(row).filter(([, amount]) => amount !== 0n))] as const,
  );
  return Object.fromEntries(present.filter(([, row]) => Object.keys(row).length > 0));
}

describe('producers, whatever the order of events', () => {
  it('gives the same documents', () => {
    fc.assert(
      fc.property(twoOrders, ([given, shuffled]) => {
        const withoutReceipt = (body: string) => ({ ...JSON.parse(body), lastReceivedAtMs: 0 });
        const documents = (events: readonly LedgerEvent[]) => Object.values(fold(producers, events).documents()).map(withoutReceipt);
        expect(documents(shuffled)).toEqual(documents(given));
      }),
      { numRuns: 200 },
    );
  });
});
