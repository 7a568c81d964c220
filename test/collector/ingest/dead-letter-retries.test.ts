import { describe, expect, it } from 'vitest';
import { exampleEvent } from '../support/events.ts';
import { ingests } from './ingests.ts';

const { open, clock } = ingests();

describe('dead letters, offered again', () => {
  const early = (number: number) => exampleEvent({ number, time: '2026-11-24T00:00:00.000Z' });
  const dayMs = 86_400_000;

  it('by id are retried once each, and ids without one are counted', async () => {
    const { ingest, log } = open();
    await ingest.accept([early(1), early(2), early(3), 'x']);
    const ids = (await log.deadLetters(0, 10)).map(({ id }) => id);
    const [first = 0, second = 0, , last = 0] = ids;
    clock.nowMs += dayMs;
    const which = [second, second, first, last, 99, 100];
    expect(await ingest.retryDeadLetters(which)).toEqual({
      accepted: 2,
      duplicates: 0,
      rejected: 1,
      unknown: 2,
      unread: [],
      kept: 0,
    });
    expect((await ingest.deadLetters(0, 10)).map(({ id }) => id)).toEqual([ids[2], last]);
    expect((await log.read(0, 10)).map(({ event }) => event.id)).toEqual([
      early(2).id,
      early(1).id,
    ]);
  });

  it('are removed by id or all, leave their room, and are not retried', async () => {
    const { ingest, log } = open();
    await ingest.accept([early(1), 'x', 'y', 'z']);
    const [first = 0, second = 0] = (await log.deadLetters(0, 10)).map(({ id }) => id);
    expect(await ingest.removeDeadLetters([second, second, 99])).toEqual({
      removed: 1,
      unknown: 1,
      unread: [],
      kept: 0,
    });
    expect((await log.deadLetters(0, 10)).map(({ body }) => body)).not.toContain('"x"');
    expect(ingest.deadLetterStatus().count).toBe(3);
    clock.nowMs += dayMs;
    expect(await ingest.retryDeadLetters([first])).toMatchObject({ accepted: 1 });
    expect(await ingest.removeDeadLetters('all')).toEqual({
      removed: 2,
      unknown: 0,
      unread: [],
      kept: 0,
    });
    expect(await log.deadLetters(0, 10)).toEqual([]);
    expect(ingest.deadLetterStatus().count).toBe(0);
  });

  it('of the future leave the others alone, and ask for nothing where there are none', async () => {
    let asked = 0;
    const { ingest, log } = open((real) => ({
      deadLetters(...args) {
        asked += 1;
        return real.deadLetters(...args);
      },
    }));
    await ingest.accept(['x', early(1)]);
    expect(await ingest.retryDeadLetters('future')).toEqual({
      accepted: 0,
      duplicates: 0,
      rejected: 1,
      unknown: 0,
      unread: [],
      kept: 0,
    });
    clock.nowMs += dayMs;
    expect(await ingest.retryDeadLetters('future')).toEqual({
      accepted: 1,
      duplicates: 0,
      rejected: 0,
      unknown: 0,
      unread: [],
      kept: 0,
    });
    expect((await log.deadLetters(0, 10)).map(({ body }) => body)).toEqual(['"x"']);
    asked = 0;
    expect(await ingest.retryDeadLetters('future')).toEqual({
      accepted: 0,
      duplicates: 0,
      rejected: 0,
      unknown: 0,
      unread: [],
      kept: 0,
    });
    expect(asked).toBe(0);
  });

  it('that arrived by another way meanwhile are gone', async () => {
    const { ingest, log } = open();
    await ingest.accept([early(1)]);
    clock.nowMs += dayMs;
    await ingest.accept([early(1)]);
    expect(await ingest.retryDeadLetters('all')).toEqual({
      accepted: 0,
      duplicates: 1,
      rejected: 0,
      unknown: 0,
      unread: [],
      kept: 0,
    });
    expect(await log.deadLetters(0, 10)).toEqual([]);
  });

  it('that are refused again stay as they are, and are no new ones', async () => {
    const { ingest, log } = open();
    await ingest.accept(['x', { broken: true }]);
    const before = await log.deadLetters(0, 10);
    expect(await ingest.retryDeadLetters('all')).toMatchObject({ accepted: 0, rejected: 2 });
    expect(await log.deadLetters(0, 10)).toEqual(before);
    expect(ingest.deadLetterStatus()).toMatchObject({ count: 2 });
  });

  it('count for whom they were attested to, and claims stay refused', async () => {
    const { ingest, log } = open();
    const attribution = {
      ...exampleEvent({
        number: 1,
        type: 'pi.session.attributed.v1',
        time: '2026-11-24T00:00:00.000Z',
      }),
    };
    const claim = {
      ...exampleEvent({ number: 2, type: 'pi.session.attributed.v1' }),
      authenticateduser: 'boss',
    };
    const values = [attribution, claim];
    await ingest.accept(
      values,
      values.map((value) => JSON.stringify(value)),
      { is: 'producer', user: 'ada', token: null },
    );
    clock.nowMs += dayMs;
    expect(await ingest.retryDeadLetters('all')).toMatchObject({ accepted: 1, rejected: 1 });
    expect((await log.read(0, 10)).map(({ event }) => event.authenticateduser)).toEqual(['ada']);
  });

  it('by id are looked for in any number', async () => {
    const { ingest } = open();
    await ingest.accept([early(1)]);
    clock.nowMs += dayMs;
    expect(
      await ingest.retryDeadLetters(Array.from({ length: 1_001 }, (_, index) => index + 1)),
    ).toMatchObject({
      accepted: 1,
      unknown: 1_000,
    });
  });
});
