import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../collector/log/stored-event.ts';
import { producers } from '../../../collector/projections/producers.ts';
import type { Emit, Projection } from '../../../collector/projections/projection.ts';
import { documentBytesMax } from '../../../collector/subscription/guard.ts';
import { reportedMax, SetAsideError } from '../../../collector/subscription/set-aside.ts';
import { sessions } from '../projections/support/bare-sessions.ts';
import { turn } from '../projections/support/given.ts';
import { contentsOf, expectContents, expectedContents, ledgers } from './ledger.ts';
import { story } from './story.ts';

const { open } = ledgers();

describe('an event that a projection cannot fold', () => {
  it('is set aside for that projection alone, reported once, and counted', async () => {
    const ledger = open();
    await ledger.append(story(1, 300));
    const poisoned = [
      { ...sessions, evolve: throwingAt([7, 150, 151]) } as Projection,
      producers as Projection,
    ];
    const subscription = ledger.subscribe({ projections: poisoned, batchEventsMax: 100 });
    await subscription.catchUp();
    expect(await subscription.state()).toMatchObject([
      { projection: 'sessions', position: 300, setAside: { count: 3 } },
      { projection: 'producers', position: 300, setAside: { count: 0, events: [] } },
    ]);
    expect(await ledger.views.setAside(sessions, 2)).toEqual({
      count: 3,
      events: [7, 150].map((position) => ({
        position,
        eventId: story(1, 300)[position - 1]?.id,
        reason: `cannot fold ${position}`,
      })),
    });
    expect(ledger.errors.map((error) => error instanceof SetAsideError && error.position)).toEqual([
      7, 150, 151,
    ]);
    expect(subscription.failure()).toBeNull();
    const given = story(1, 300);
    const foldable = given.filter((_, index) => ![7, 150, 151].includes(index + 1));
    expectContents(await contentsOf(ledger.views), {
      ...expectedContents(foldable),
      producers: expectedContents(given).producers,
    });
  });

  it('stops nothing, however many there are; a restart sets the same ones aside', async () => {
    const ledger = open();
    await ledger.append(story(1, 300));
    const isBad = (position: number) => position > 20 && position % 3 !== 0;
    const bad = Array.from({ length: 310 }, (_, index) => index + 1).filter(isBad);
    const poisoned = [
      { ...sessions, evolve: throwingAt(bad) } as Projection,
      producers as Projection,
    ];
    const first = ledger.subscribe({ projections: poisoned, batchEventsMax: 70 });
    await first.catchUp();
    expect(first.failure()).toBeNull();
    expect(ledger.errors).toHaveLength(reportedMax);
    await first.stop();
    await ledger.append(story(301, 10));
    const subscription = ledger.subscribe({ projections: poisoned });
    await subscription.catchUp();
    const kept = await ledger.views.setAside(sessions, 1_000);
    expect(kept.events.map(({ position }) => position)).toEqual(bad);
    const foldable = story(1, 310).filter((_, index) => !isBad(index + 1));
    const expected = {
      ...expectedContents(foldable),
      producers: expectedContents(story(1, 310)).producers,
    };
    expectContents(await contentsOf(ledger.views), expected);
    await subscription.rebuild('sessions');
    expect(await ledger.views.setAside(sessions, 1_000)).toEqual(kept);
    expectContents(await contentsOf(ledger.views), expected);
  });

  it.each([
    ['it has no key', { key: throwing(sessions.key) }],
    ['its document cannot be written', { encode: throwing(sessions.encode) }],
    ['its document has no columns', { columnsOf: throwing(sessions.columnsOf) }],
    [
      'its document would be too large',
      {
        encode: (state) =>
          sessions.encode(state).padEnd(isPoisoned(state) ? documentBytesMax + 1 : 0),
      },
    ],
  ] as [string, Partial<typeof sessions>][])('is set aside also where %s', async (_why, wrong) => {
    const ledger = open();
    const poison = {
      ...turn('2026-11-22T10:00:00.000Z', { model: poisonous }),
      id: '01a2fff6-564e-7000-8000-000000000001',
    };
    const given = [...story(1, 100), poison, ...story(101, 100)];
    await ledger.append(given);
    const subscription = ledger.subscribe({
      projections: [{ ...sessions, ...wrong } as Projection, producers as Projection],
    });
    subscription.wake();
    await expect
      .poll(async () => (await subscription.state()).map(({ position }) => position))
      .toEqual([201, 201]);
    expect((await ledger.views.setAside(sessions, 10)).events).toMatchObject([
      { position: 101, eventId: poison.id },
    ]);
    const { sessions: documents } = expectedContents(story(1, 200));
    expectContents(
      { sessions: (await contentsOf(ledger.views)).sessions },
      { sessions: documents },
    );
  });

  it('cannot be made of what the contract allows, at the limits of names and numbers', async () => {
    const ledger = open();
    const given = story(1, 60).map((event, index) => {
      const odd = ['__proto__', 'constructor', '\u0000', '\ud800', 'x'.repeat(500)][
        index % 5
      ] as string;
      if (event.type === 'pi.turn.completed.v1') {
        const spend = {
          ...event.data.spend,
          model: odd,
          provider: odd,
          inputTokens: Number.MAX_SAFE_INTEGER,
        };
        return { ...event, subject: odd, data: { ...event.data, spend } };
      }
      if (event.type === 'pi.tool.completed.v1')
        return { ...event, subject: odd, data: { ...event.data, toolName: odd } };
      if (event.type === 'pi.session.attributed.v1') {
        return {
          ...event,
          subject: odd,
          data: {
            ...event.data,
            user: odd,
            billing: JSON.parse(`{${JSON.stringify(odd)}:"metered"}`),
          },
        };
      }
      return event;
    });
    await ledger.append(given);
    const subscription = ledger.subscribe({ memoryCharsMax: 0, batchEventsMax: 10 });
    await subscription.catchUp();
    expect(ledger.errors).toEqual([]);
    expect((await contentsOf(ledger.views)).usage).toEqual(expectedContents(given).usage);
  });
});

const poisonous = 'poisonous';

function isPoisoned(state: Parameters<typeof sessions.encode>[0]): boolean {
  return [...state.spending.families.values()].some(({ model }) => model === poisonous);
}

/** Throws at what has to do with the poison. */
function throwing<Argument, Result>(
  ask: (argument: Argument) => Result,
): (argument: Argument) => Result {
  return (argument) => {
    const text = 'event' in (argument as object) ? JSON.stringify(argument) : '';
    const poisoned = text === '' ? isPoisoned(argument as never) : text.includes(poisonous);
    if (poisoned) throw new TypeError('odd');
    return ask(argument);
  };
}

/** Evolves half, emits, and throws. */
function throwingAt(positions: readonly number[]) {
  return (state: unknown, stored: StoredEvent, emit: Emit): unknown => {
    const evolved = sessions.evolve(state as never, stored, emit);
    if (positions.includes(stored.position)) throw new Error(`cannot fold ${stored.position}`);
    return evolved;
  };
}
