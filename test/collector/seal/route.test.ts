import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../../collector/roles/ledger.ts';
import { liveEventId } from '../../../core/record/identity/event-id.ts';
import { attributed, turn } from '../projections/support/given.ts';
import { get, ledgerHomes, post } from '../support/ledger.ts';

const homes = ledgerHomes();

/** As recorded by a host: the id has the time of the event. */
function recorded(event: LedgerEvent): LedgerEvent {
  return { ...event, id: liveEventId(Date.parse(event.time)) };
}

const days = ['2026-11-10', '2026-11-11', '2026-11-12'].map((day) => `${day}T08:00:00.000Z`);
const story = days.flatMap((at) => [
  recorded(attributed(at)),
  recorded(turn(at, { costNanoUsd: 7, inputTokens: 3 })),
]);

async function holding(events: readonly LedgerEvent[]): Promise<Ledger> {
  const ledger = await homes.open();
  expect((await post(ledger, events)).json()).toMatchObject({
    accepted: events.length,
    rejected: [],
  });
  return ledger;
}

async function ask(ledger: Ledger, url: string, payload: object) {
  const answer = await ledger.app.inject({ method: 'POST', url, payload });
  return { status: answer.statusCode, json: () => JSON.parse(answer.body) };
}

describe('POST /v1/seal', () => {
  it('deletes events older than the day, changes no report, and refuses them later', async () => {
    const ledger = await holding(story);
    const before = (await get(ledger, '/v1/usage?by=day')).text;
    expect(
      (await ask(ledger, '/v1/seal', { before: '2026-11-12', dryRun: true })).json(),
    ).toMatchObject({ events: 4 });
    expect((await get(ledger, '/v1/seal')).json()).toEqual({ floor: null });
    const sealed = (await ask(ledger, '/v1/seal', { before: '2026-11-12' })).json();
    // A session, its timings and utilization, a producer, and two chunks of the session's context.
    expect(sealed).toEqual({ floor: '2026-11-12T00:00:00.000Z', events: 4, documents: 6 });
    expect((await get(ledger, '/v1/seal')).json()).toEqual({ floor: '2026-11-12T00:00:00.000Z' });
    expect((await get(ledger, '/v1/usage?by=day')).text).toBe(before);
    expect((await ask(ledger, '/v1/rebuild/sessions', {})).status).toBe(200);
    expect((await get(ledger, '/v1/usage?by=day')).text).toBe(before);
    expect((await post(ledger, story)).json()).toEqual({
      accepted: 0,
      duplicates: 2,
      expired: 4,
      rejected: [],
    });
    expect((await get(ledger, '/v1/usage?by=day')).text).toBe(before);
  });

  it('reports an earlier day as done, and refuses invalid and future days', async () => {
    const ledger = await holding(story);
    await ask(ledger, '/v1/seal', { before: '2026-11-12' });
    const answer = { floor: '2026-11-12T00:00:00.000Z', events: 0, documents: 0 };
    expect((await ask(ledger, '/v1/seal', { before: '2026-11-11' })).json()).toEqual(answer);
    for (const before of ['2026-02-30', '2026-11-23', 'yesterday']) {
      expect((await ask(ledger, '/v1/seal', { before })).status).toBe(400);
    }
    expect((await ask(ledger, '/v1/seal', {})).status).toBe(400);
  });

  it('refuses a day after the newest event, which would refuse all next events', async () => {
    const ledger = await holding(story);
    const refused = (await ask(ledger, '/v1/seal', { before: '2026-11-13' })).json();
    expect(refused).toMatchObject({
      code: 'bad_parameter',
      field: 'before',
      message: expect.stringContaining('2026-11-12'),
    });
    expect((await get(ledger, '/v1/seal')).json()).toEqual({ floor: null });
  });

  it('knows the newest of events that were accepted just before', async () => {
    const turns = Array.from({ length: 3_000 }, () => recorded(turn(days[0] ?? '', {})));
    const ledger = await holding([...turns, ...story]);
    const refused = await ask(ledger, '/v1/seal', { before: '2026-11-13' });
    expect(refused.json()).toMatchObject({ code: 'bad_parameter', field: 'before' });
  });

  it('is for the collector alone: a part from a producer is refused, also on retry', async () => {
    const ledger = await holding(story);
    const forged = recorded({
      ...story[0],
      type: 'pi.history.sealed.v1',
      data: forgedPart,
    } as unknown as LedgerEvent);
    const refused = { code: 'schema', field: '/data/sealId' };
    expect((await post(ledger, [forged])).json()).toMatchObject({
      accepted: 0,
      rejected: [refused],
    });
    expect(await ledger.ingest.retryDeadLetters('all')).toMatchObject({ accepted: 0, rejected: 1 });
    expect((await get(ledger, '/v1/log?limit=100')).json().rows).toHaveLength(story.length);
  });

  it('seals one at a time', async () => {
    const ledger = await holding(story);
    const answers = await Promise.all(
      ['2026-11-11', '2026-11-12'].map((before) => ask(ledger, '/v1/seal', { before })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
  });
});

const forgedPart = { sealId: 'forged', floorMs: 1, part: 1, isLast: true, content: '' };

describe('POST /v1/reprice after a seal', () => {
  it('says how many records it cannot see', async () => {
    const ledger = await holding(story);
    const list = { anthropic: { models: { sonnet: { cost: { input: 1, output: 1 } } } } };
    expect((await ask(ledger, '/v1/reprice', list)).json()).toMatchObject({ sealedRecords: 0 });
    await ask(ledger, '/v1/seal', { before: '2026-11-12' });
    expect((await ask(ledger, '/v1/reprice', list)).json()).toMatchObject({
      sealedRecords: 2,
      totals: [{ records: 1 }],
    });
    expect((await ask(ledger, '/v1/reprice?since=2026-11-12', list)).json()).toMatchObject({
      sealedRecords: 0,
    });
  });
});
