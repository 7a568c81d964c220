/**
 * The user of the token counts, whatever the producer says, and only the collector records it.
 */
import { gzipSync } from 'node:zlib';
import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { exampleEvent } from '../support/events.ts';
import { type Guarded, guardedLedgers } from '../support/guarded.ts';
import { batchType } from '../support/ledger.ts';

const guarded = guardedLedgers();

const attribution = (number: number, user: string, more: object = {}): LedgerEvent =>
  ({
    ...exampleEvent({ number, type: 'pi.session.attributed.v1', data: { user } }),
    ...more,
  }) as LedgerEvent;
const turn = (number: number): LedgerEvent => exampleEvent({ number });

async function send({ ask }: Guarded, token: string | undefined, events: readonly unknown[]) {
  const answer = await ask({ method: 'POST', url: '/v1/events', token, body: events });
  return JSON.parse(answer.text);
}

async function sessionIn({ ask, machineToken }: Guarded) {
  return JSON.parse((await ask({ url: '/v1/sessions/session-1', token: machineToken })).text);
}

const stored = async ({ ledger }: Guarded): Promise<readonly LedgerEvent[]> =>
  (await ledger.log.read(0, 100)).map(({ event }) => event);

describe('an attribution sent with a token', () => {
  it('counts for the user of the token, and says who was claimed', async () => {
    const subject = await guarded.open();
    const { text } = await subject.make({ user: 'bob', scopes: ['ingest'] });
    expect(await send(subject, text, [attribution(1, 'ada'), turn(2)])).toMatchObject({
      accepted: 2,
      rejected: [],
    });
    expect(await sessionIn(subject)).toMatchObject({ user: 'bob', claimedUser: 'ada', records: 1 });
    const { rows } = JSON.parse(
      (await subject.ask({ url: '/v1/usage?by=user', token: subject.machineToken })).text,
    );
    expect(rows.map(({ user }: { user: string }) => user)).toEqual(['bob']);
    const all = JSON.parse(
      (await subject.ask({ url: '/v1/producers', token: subject.machineToken })).text,
    );
    expect(all.rows).toMatchObject([{ user: 'bob' }]);
  });

  it('moves a session to its user, as SECURITY.md warns; the log names who did it', async () => {
    const subject = await guarded.open();
    const [ada, eve] = await Promise.all(
      ['ada', 'eve'].map((user) =>
        subject.make({ user, scopes: ['ingest', 'read'], onlyOwn: true }).then(({ text }) => text),
      ),
    );
    const at = (time: string) => ({ time: `2026-11-20T${time}:00.000Z` });
    await send(subject, ada, [
      attribution(1, 'ada', at('09:00')),
      { ...turn(2), ...at('09:10') },
      { ...turn(3), ...at('10:10') },
    ]);
    await send(subject, eve, [attribution(4, 'eve', at('10:00'))]);
    const records = async (token: string | undefined) =>
      JSON.parse((await subject.ask({ url: '/v1/usage', token })).text).total.records;
    expect([await records(ada), await records(eve)]).toEqual([1, 1]);
    const status = async (token: string | undefined) =>
      (await subject.ask({ url: '/v1/sessions/session-1', token })).status;
    expect([await status(ada), await status(eve)]).toEqual([404, 200]);
    const senders = (await stored(subject)).flatMap(
      ({ authenticateduser }) => authenticateduser ?? [],
    );
    expect(senders).toEqual(['ada', 'eve']);
  });

  it('is stored as it came, with the user in its envelope; all events with the token', async () => {
    const subject = await guarded.open();
    const { text, id: authenticatedtoken } = await subject.make({
      ...{ user: 'b"ob\\ $& ä', scopes: ['ingest'] },
    });
    const events = [attribution(1, 'ada'), turn(2)];
    await send(subject, text, events);
    expect(await stored(subject)).toEqual([
      { ...events[0], authenticateduser: 'b"ob\\ $& ä', authenticatedtoken },
      { ...events[1], authenticatedtoken },
    ]);
    // What the next start reads is what this one had in memory.
    const again = await subject.ask({ url: '/v1/log', token: subject.machineToken });
    expect(JSON.parse(again.text).rows[0].event.authenticateduser).toBe('b"ob\\ $& ä');
  });

  it('as one event, or compressed, is no way around that', async () => {
    const subject = await guarded.open();
    const { text } = await subject.make({ user: 'bob', scopes: ['ingest'] });
    const headers = { host: 'localhost', authorization: `Bearer ${text}` };
    const single = { ...headers, 'content-type': 'application/cloudevents+json' };
    const gzip = { ...headers, 'content-type': batchType, 'content-encoding': 'gzip' };
    const inject = { method: 'POST', url: '/v1/events' } as const;
    await subject.ledger.app.inject({
      ...inject,
      headers: single,
      payload: ` \n${JSON.stringify(attribution(1, 'ada'), null, 2)} `,
    });
    await subject.ledger.app.inject({
      ...inject,
      headers: gzip,
      payload: gzipSync(JSON.stringify([attribution(2, 'eve')], null, 2)),
    });
    expect((await stored(subject)).map(({ authenticateduser }) => authenticateduser)).toEqual([
      'bob',
      'bob',
    ]);
  });

  it("from this machine's own token, or where none is asked for, counts as it says", async () => {
    const subject = await guarded.open();
    await send(subject, subject.machineToken, [attribution(1, 'ada')]);
    expect(await sessionIn(subject)).toMatchObject({ user: 'ada', claimedUser: 'ada' });
    const open = await guarded.open({ auth: 'auto' });
    await send(open, undefined, [attribution(1, 'ada')]);
    expect((await stored(open))[0]).not.toHaveProperty('authenticateduser');
    const { text } = await open.make({ user: 'bob', scopes: ['ingest'] });
    await send(open, text, [attribution(2, 'ada')]);
    expect((await stored(open))[1]).toMatchObject({ authenticateduser: 'bob' });
  });
});

describe('a producer that says itself who is authenticated', () => {
  const claims: [name: string, event: unknown][] = [
    ['in an attribution', attribution(1, 'ada', { authenticateduser: 'boss' })],
    ['as nobody', attribution(1, 'ada', { authenticateduser: null })],
    ['in another event', { ...turn(1), authenticateduser: 'boss' }],
    [
      'in an event that is wrong otherwise',
      { ...attribution(1, 'ada', { authenticateduser: 'boss' }), type: 'pi.session.attributed.v9' },
    ],
    [
      'in an event from the future',
      { ...attribution(1, 'ada', { authenticateduser: 'boss' }), time: '2027-11-22T09:00:00.000Z' },
    ],
    [
      'in an event that is too large',
      { ...attribution(1, 'ada', { authenticateduser: 'boss' }), more: 'x'.repeat(300_000) },
    ],
  ];

  it.each(claims)(
    '%s is refused, with a token and without, and by a retry',
    async (_name, event) => {
      for (const auth of ['required', 'auto'] as const) {
        const subject = await guarded.open({ auth });
        const token =
          auth === 'required'
            ? (await subject.make({ user: 'bob', scopes: ['ingest'] })).text
            : undefined;
        const ack = await send(subject, token, [event]);
        expect(ack).toMatchObject({
          accepted: 0,
          rejected: [{ code: 'schema', field: '/authenticateduser' }],
        });
        expect(ack.rejected[0].message).toContain('Only the collector sets the authenticated user');
        subject.clock.nowMs += 400 * 86_400_000;
        const retried = await subject.ask({
          method: 'POST',
          url: '/v1/dead-letters/retry',
          token: subject.machineToken,
          body: {},
        });
        expect(JSON.parse(retried.text)).toMatchObject({ accepted: 0, rejected: 1 });
        expect(await stored(subject)).toEqual([]);
      }
    },
  );

  it('by a key that is escaped, or written twice, is refused too', async () => {
    const subject = await guarded.open({ auth: 'auto' });
    const text = JSON.stringify(attribution(1, 'ada')).slice(1);
    for (const key of [
      '"authenticate\\u0064user":"boss",',
      '"authenticateduser":"boss","authenticateduser":"boss",',
    ]) {
      const headers = { host: 'localhost', 'content-type': batchType };
      const answer = await subject.ledger.app.inject({
        method: 'POST',
        url: '/v1/events',
        headers,
        payload: `[{${key}${text}]`,
      });
      expect(answer.json()).toMatchObject({
        accepted: 0,
        rejected: [{ field: '/authenticateduser' }],
      });
    }
  });

  it('is not believed through a dead letter: a retry counts for the sender', async () => {
    const subject = await guarded.open();
    const { text } = await subject.make({ user: 'bob', scopes: ['ingest'] });
    const early = { ...attribution(1, 'ada'), time: '2026-12-01T09:00:00.000Z' };
    expect(await send(subject, text, [early])).toMatchObject({
      accepted: 0,
      rejected: [{ code: 'time_in_future' }],
    });
    subject.clock.nowMs = Date.parse('2026-12-02T00:00:00Z');
    const retried = await subject.ask({
      method: 'POST',
      url: '/v1/dead-letters/retry',
      token: subject.machineToken,
      body: {},
    });
    expect(JSON.parse(retried.text)).toMatchObject({ accepted: 1, rejected: 0 });
    expect(await sessionIn(subject)).toMatchObject({ user: 'bob', claimedUser: 'ada' });
  });
});
