import { describe, expect, it } from 'vitest';
import { eventId, exampleEvents } from '../../support/events.ts';
import { get, ledgerHomes, post } from '../../support/ledger.ts';

const homes = ledgerHomes();

async function ledgerWith(events: number) {
  const ledger = await homes.open();
  await post(ledger, exampleEvents(1, events));
  return ledger;
}

describe('GET /v1/log', () => {
  it('answers the events in order, as they were sent, with their positions', async () => {
    const ledger = await ledgerWith(3);
    const { status, json } = await get(ledger, '/v1/log');
    expect(status).toBe(200);
    expect(json()).toEqual({
      rows: exampleEvents(1, 3).map((event, index) => ({
        position: index + 1,
        receivedAt: '2026-11-22T12:00:00.000Z',
        event,
      })),
      next: null,
    });
  });

  it('pages: every event once, whatever the size of a page', async () => {
    const ledger = await ledgerWith(7);
    const ids: string[] = [];
    for (let next: number | null = 0; next !== null; ) {
      const page: { rows: { event: { id: string } }[]; next: number | null } = (
        await get(ledger, `/v1/log?after=${next}&limit=3`)
      ).json();
      expect(page.rows.length).toBeLessThanOrEqual(3);
      ids.push(...page.rows.map(({ event }) => event.id));
      next = page.next;
    }
    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7].map(eventId));
  });

  it('has no next page when the page is exactly full', async () => {
    const ledger = await ledgerWith(2);
    expect((await get(ledger, '/v1/log?limit=2')).json().next).toBeNull();
  });

  it('is empty after the last event', async () => {
    const ledger = await ledgerWith(2);
    expect((await get(ledger, '/v1/log?after=2')).json()).toEqual({
      rows: [],
      next: null,
    });
  });

  it('gives NDJSON with each event as it came, even one on several lines', async () => {
    const ledger = await homes.open();
    const [one, two, three] = exampleEvents(1, 3);
    const texts = [
      JSON.stringify(one),
      JSON.stringify(two, null, 2).replaceAll('\n', '\r\n'),
      JSON.stringify(three),
    ];
    await post(ledger, `[${texts.join(',')}]`);
    const { text, headers } = await get(ledger, '/v1/log?format=ndjson&after=1&limit=2');
    expect(headers['content-type']).toContain('application/x-ndjson');
    const received = '"receivedAt":"2026-11-22T12:00:00.000Z"';
    const [second, third] = texts.slice(1).map((each) => each.replace(/[\r\n]/g, ' '));
    expect(text).toBe(
      `{"position":2,${received},"event":${second}}\n{"position":3,${received},"event":${third}}\n`,
    );
    expect(await get(ledger, '/v1/log?format=ndjson&after=3')).toMatchObject({
      status: 200,
      text: '',
    });
  });

  it.each(['limit=0', 'limit=1001', 'after=-1', 'after=x', 'cursor=x', 'format=csv'])(
    'refuses %s',
    async (query) => {
      const ledger = await homes.open();
      const answer = await get(ledger, `/v1/log?${query}`);
      expect(answer.status).toBe(400);
      expect(answer.json()).toMatchObject({ code: 'bad_parameter', field: query.split('=')[0] });
    },
  );

  it('answers programs on this machine only', async () => {
    const ledger = await homes.open();
    expect((await get(ledger, '/v1/log', { host: 'ledger.example.com' })).status).toBe(403);
  });
});
