import type { LedgerEvent } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { context, createContext } from '../../../collector/projections/context.ts';
import { fold } from './support/fold.ts';
import { event, spendOf, turn } from './support/given.ts';
import { narrow } from './support/given-context.ts';

/** Across the borders of two chunks, on few times, so that facts collide. */
const time = fc
  .tuple(fc.constantFrom(0, 1, 2, 9, 10, 11, 20), fc.constantFrom(0, 1, 59_999))
  .map(([minutes, ms]) =>
    new Date(Date.parse('2026-11-21T23:40:00.000Z') + minutes * 60_000 + ms).toISOString(),
  );

const entryId = fc.constantFrom('e1', 'e2', 'e3');

const session = fc.constantFrom('s1', 's1', 's2');

const path = fc.constantFrom('a.txt', 'b.txt', 'a/very/long/path.txt');

const anyEntry: fc.Arbitrary<LedgerEvent> = fc.oneof(
  fc
    .tuple(time, session, fc.nat(9))
    .map(([when, name, inputTokens]) => turn(when, { inputTokens }, name)),
  fc
    .tuple(time, session, entryId)
    .map(([when, name, id]) =>
      event('pi.prompt.submitted.v1', { at: when, session: name }, { entryId: id }),
    ),
  fc
    .tuple(time, session, fc.array(path, { maxLength: 4 }))
    .map(([when, name, paths]) =>
      event('pi.tool.completed.v1', { at: when, session: name }, { paths, spend: null }),
    ),
  fc
    .tuple(time, session, entryId, fc.option(fc.nat(99)))
    .map(([when, name, id, tokensBefore]) =>
      event(
        'pi.compaction.completed.v1',
        { at: when, session: name },
        { entryId: id, tokensBefore, spend: spendOf({}) },
      ),
    ),
  fc
    .tuple(time, session)
    .map(([when, name]) => event('pi.branch.summarized.v1', { at: when, session: name })),
  fc
    .tuple(time, session)
    .map(([when, name]) => event('pi.model.changed.v1', { at: when, session: name })),
  fc
    .tuple(time, session)
    .map(([when, name]) => event('pi.usage.recorded.v1', { at: when, session: name })),
  fc
    .tuple(time, session, fc.constantFrom('manual', null))
    .map(([when, name, trigger]) =>
      event('pi.compaction.timed.v1', { at: when, session: name }, { trigger }),
    ),
  fc
    .tuple(time, session, fc.boolean())
    .map(([when, name, aborted]) =>
      event('pi.compaction.failed.v1', { at: when, session: name }, { aborted }),
    ),
  fc
    .tuple(
      time,
      session,
      fc.constantFrom('large', 'small', 'tiny'),
      fc.constantFrom('provider' as const, 'estimate' as const),
    )
    .map(([when, name, model, source]) =>
      event('pi.context.sampled.v1', { at: when, session: name }, { model, source }),
    ),
);

const live = fc.constantFrom(
  'pi.turn.timed.v1' as const,
  'pi.tool.timed.v1' as const,
  'pi.retry.scheduled.v1' as const,
  'pi.human.waited.v1' as const,
  'pi.run.completed.v1' as const,
);
const anyEvent = fc.oneof(
  { arbitrary: anyEntry, weight: 3 },
  {
    arbitrary: fc
      .tuple(time, session, live, fc.nat(3))
      .map(([when, name, type, durationMs]) =>
        event(type, { at: when, session: name }, { durationMs }),
      ),
    weight: 1,
  },
);

const twoOrders = fc
  .array(anyEvent, { maxLength: 40, size: 'max' })
  .chain((events) =>
    fc.tuple(
      fc.constant(events),
      fc.shuffledSubarray(events, { minLength: events.length, maxLength: events.length }),
    ),
  );

describe.each([
  ['wide', context],
  ['narrow', createContext(narrow)],
])('context, whatever the order of events (%s limits)', (_name, projection) => {
  it('gives the same documents, and goes through their text unharmed', () => {
    fc.assert(
      fc.property(twoOrders, ([given, shuffled]) => {
        const [one, other] = [
          fold(projection, given),
          fold(projection, shuffled, { isReloaded: true }),
        ];
        expect(other.documents()).toEqual(one.documents());
      }),
      { numRuns: 300 },
    );
  });

  it('gives the same documents wherever the batches end', () => {
    fc.assert(
      fc.property(twoOrders, fc.func(fc.boolean()), ([given], isReloaded) => {
        const [one, other] = [
          fold(projection, given),
          fold(projection, given, { isReloaded: (index) => isReloaded(index) }),
        ];
        expect(other.documents()).toEqual(one.documents());
      }),
      { numRuns: 100 },
    );
  });
});
