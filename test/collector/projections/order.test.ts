import type { LedgerEvent } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { producers } from '../../../collector/projections/producers.ts';
import { createSessions } from '../../../collector/projections/sessions.ts';
import { totals } from '../../../collector/projections/totals.ts';
import { usage } from '../../../collector/projections/usage.ts';
import { fold } from './fold.ts';
import { attributed, event, spendOf, turn } from './given.ts';
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

const anyEvent: fc.Arbitrary<LedgerEvent> = fc.oneof(
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
      .map(([at, name, type, spent]) => event(type, { at, session: name }, { spend: spent })),
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

/** The same events twice, the second time in another order. */
const twoOrders = fc
  .array(anyEvent, { maxLength: 40, size: 'max' })
  .chain((events) => fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length, maxLength: events.length })));

const limits = {
  wide: { attributionsMax: 1_000, cellsMax: 5_000, toolNamesMax: 200 },
  narrow: { attributionsMax: 3, cellsMax: 2, toolNamesMax: 2 },
};

describe.each(Object.entries(limits))('sessions, whatever the order of events (%s limits)', (_name, each) => {
  const sessions = createSessions(each);

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
        const found = Object.entries(rows).map(([key, { records, inputTokens, nanoUsd }]) => [key, [records, inputTokens, nanoUsd]]);
        expect(Object.fromEntries(found)).toEqual(expectedUsage(given, each));
      }),
      { numRuns: 200 },
    );
  });

  it('counts in the totals what it counts in usage, and never takes anything back', () => {
    fc.assert(
      fc.property(twoOrders, ([given]) => {
        const folded = fold(sessions, given);
        expect(folded.rows(totals)).toEqual(folded.rows(usage));
        expect(folded.emitted.filter(({ rollup, measures }) => rollup === totals && measures.some((measure) => measure < 0n))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

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
