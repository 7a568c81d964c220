import { describe, expect, it } from 'vitest';
import { createProjections } from '../../../collector/projections/registry.ts';
import { noRules } from '../../../collector/projections/rules.ts';
import { exampleEvent, exampleEvents } from '../support/events.ts';
import { get, ledgerHomes, post } from '../support/ledger.ts';

const homes = ledgerHomes();

describe('GET /v1/producers', () => {
  it('says what is missing, what was dropped and how late events come', async () => {
    const ledger = await homes.open();
    const source = '/producers/two';
    await post(ledger, exampleEvents(1, 3));
    await post(
      ledger,
      [3, 5, 9].map((sequence) =>
        exampleEvent({
          number: 100 + sequence,
          sequence,
          source,
          time: '2026-11-22T11:59:00.000Z',
        }),
      ),
    );
    const dropped = { spoolFull: 4, spoolUnwritable: 0, eventTooLarge: 1, recordFailed: 0 };
    const report = {
      type: 'pi.producer.reported.v1' as const,
      data: { dropped, spoolBytes: 0, producerVersion: '0.1.0' },
    };
    await post(ledger, [
      exampleEvent({
        number: 200,
        sequence: 10,
        source,
        time: '2026-11-22T11:59:30.000Z',
        ...report,
      }),
    ]);
    const { rows, next } = (await get(ledger, '/v1/producers')).json();
    expect(next).toBeNull();
    expect(rows.map((row: { source: string }) => row.source)).toEqual([source, '/producers/one']);
    expect(rows[0]).toMatchObject({
      events: 4,
      missing: 6,
      gaps: [
        [1, 2],
        [4, 4],
        [6, 8],
      ],
      dropped,
      lagMs: 30_000,
      lastReceivedAt: '2026-11-22T12:00:00.000Z',
      user: null,
    });
    expect(rows[1]).toMatchObject({ missing: 0, gaps: [], events: 3 });
  });

  it('does not call rejected events missing: they are dead letters', async () => {
    const ledger = await homes.open();
    const odd = { ...exampleEvent({ number: 2 }), type: 'pi.nope.v1' };
    await post(ledger, [exampleEvent({ number: 1 }), odd, exampleEvent({ number: 3 })]);
    expect((await get(ledger, '/v1/producers')).json().rows).toMatchObject([
      { events: 2, missing: 0, gaps: [] },
    ]);
  });

  it('is paged and filtered', async () => {
    const ledger = await homes.open();
    await post(
      ledger,
      [1, 2, 3].map((number) =>
        exampleEvent({ number, source: `/producers/${number}`, sequence: 1 }),
      ),
    );
    const first = (await get(ledger, '/v1/producers?limit=2')).json();
    const second = (await get(ledger, `/v1/producers?limit=2&cursor=${first.next}`)).json();
    expect([...first.rows, ...second.rows].map(({ source }) => source).toSorted()).toEqual([
      '/producers/1',
      '/producers/2',
      '/producers/3',
    ]);
    expect(second.next).toBeNull();
    expect((await get(ledger, '/v1/producers?user=nobody')).json().rows).toEqual([]);
    expect((await get(ledger, '/v1/producers?model=x')).json()).toMatchObject({
      code: 'bad_parameter',
      field: 'model',
    });
  });
});

describe('dead letters', () => {
  it('are listed by page, oldest first, and retried', async () => {
    const ledger = await homes.open();
    const future = exampleEvent({ number: 7, time: '2026-11-25T00:00:00.000Z' });
    await post(ledger, [17, future, { ...future, type: 'pi.nope.v1' }]);
    const first = (await get(ledger, '/v1/dead-letters?limit=2')).json();
    expect(first.rows.map((row: { code: string }) => row.code)).toEqual([
      'not_an_event',
      'time_in_future',
    ]);
    expect(JSON.parse(first.rows[1].body)).toEqual(future);
    const second = (await get(ledger, `/v1/dead-letters?limit=2&cursor=${first.next}`)).json();
    expect(second.rows).toMatchObject([
      { code: 'unknown_type', receivedAt: '2026-11-22T12:00:00.000Z' },
    ]);
    expect(second.next).toBeNull();

    expect(await retry(ledger, {})).toEqual({
      accepted: 0,
      duplicates: 0,
      rejected: 3,
      unknown: 0,
      kept: 0,
      unread: [],
    });
    expect((await get(ledger, '/v1/dead-letters')).json().rows).toHaveLength(3);
  });

  it('leave when they are accepted at last', async () => {
    let nowMs = Date.parse('2026-11-22T12:00:00.000Z');
    const ledger = await homes.open(() => nowMs);
    const future = exampleEvent({ number: 7, time: '2026-11-25T00:00:00.000Z' });
    await post(ledger, [future, 17]);
    nowMs = Date.parse('2026-11-25T01:00:00.000Z');
    expect(await retry(ledger, { ids: [1, 1, 99] })).toEqual({
      accepted: 1,
      duplicates: 0,
      rejected: 0,
      unknown: 1,
      kept: 0,
      unread: [],
    });
    expect((await get(ledger, '/v1/dead-letters')).json().rows).toMatchObject([{ id: 2 }]);
    expect((await ledger.log.read(0, 10)).map(({ event }) => event)).toEqual([future]);
    expect((await get(ledger, '/v1/usage')).json().total.records).toBe(1);
  });

  it('are known as duplicates when their event arrived meanwhile', async () => {
    let nowMs = Date.parse('2026-11-22T12:00:00.000Z');
    const ledger = await homes.open(() => nowMs);
    const future = exampleEvent({ number: 7, time: '2026-11-25T00:00:00.000Z' });
    await post(ledger, [future]);
    nowMs = Date.parse('2026-11-25T01:00:00.000Z');
    await post(ledger, [future]);
    expect(await retry(ledger, {})).toEqual({
      accepted: 0,
      duplicates: 1,
      rejected: 0,
      unknown: 0,
      kept: 0,
      unread: [],
    });
    expect((await get(ledger, '/v1/dead-letters')).json().rows).toEqual([]);
  });

  it.each([[{ ids: [] }], [{ ids: ['1'] }], [{ ids: [0] }], [{ all: true }]])(
    'refuse the request %j',
    async (body) => {
      const answer = await retry(await homes.open(), body);
      expect(answer).toMatchObject({ code: 'bad_parameter' });
    },
  );

  it('are removed for good, by id or all', async () => {
    const ledger = await homes.open();
    await post(ledger, [17, 'x', []]);
    const remove = async (ids: unknown) =>
      (
        await ledger.app.inject({
          method: 'POST',
          url: '/v1/dead-letters/remove',
          payload: { ids },
        })
      ).json();
    expect(await remove([1, 99])).toEqual({ removed: 1, unknown: 1, kept: 0, unread: [] });
    expect((await get(ledger, '/v1/dead-letters')).json().rows).toMatchObject([
      { id: 2 },
      { id: 3 },
    ]);
    for (const ids of [undefined, [], 'some'])
      expect(await remove(ids)).toMatchObject({ code: 'bad_parameter' });
    expect(await remove('all')).toEqual({ removed: 2, unknown: 0, kept: 0, unread: [] });
    expect((await get(ledger, '/v1/dead-letters')).json().rows).toEqual([]);
  });

  async function retry(ledger: Awaited<ReturnType<typeof homes.open>>, body: object) {
    return (
      await ledger.app.inject({ method: 'POST', url: '/v1/dead-letters/retry', payload: body })
    ).json();
  }
});

describe('POST /v1/rebuild/:projection', () => {
  it('rebuilds a view with the same figures', async () => {
    const ledger = await homes.open();
    await post(ledger, exampleEvents(1, 20));
    const before = (await get(ledger, '/v1/usage?by=session')).json();
    const answer = await ledger.app.inject({ method: 'POST', url: '/v1/rebuild/sessions' });
    expect(answer.json()).toMatchObject({ events: 20 });
    expect((await get(ledger, '/v1/usage?by=session')).json()).toEqual(before);
  });

  it('names the known projections for an unknown one', async () => {
    const ledger = await homes.open();
    const answer = await ledger.app.inject({ method: 'POST', url: '/v1/rebuild/usage' });
    expect(answer.statusCode).toBe(404);
    expect(answer.json().message).toContain('sessions');
  });
});

describe('health', () => {
  it('is live, and ready when the views have what was there at the start', async () => {
    const ledger = await homes.open();
    expect((await get(ledger, '/health/live')).json()).toEqual({ live: true });
    await post(ledger, exampleEvents(1, 3));
    await ledger.subscription.catchUp();
    const ready = await get(ledger, '/health/ready');
    expect(ready.status).toBe(200);
    expect(ready.json()).toMatchObject({
      ready: true,
      problems: [],
      views: createProjections(noRules).map(() => ({ position: 3, head: 3 })),
    });
  });

  it('is not ready when the store cannot be read, and says so', async () => {
    const ledger = await homes.open();
    await ledger.log.close();
    const ready = await get(ledger, '/health/ready');
    expect(ready.status).toBe(503);
    expect(ready.json().problems[0]).toContain('The store cannot be read');
  });
});
