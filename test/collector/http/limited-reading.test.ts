/**
 * A token limited to its own data or to some projects sees what it would see if there were nothing
 * else.
 */
import { describe, expect, it } from 'vitest';
import { type Guarded, guardedLedgers } from '../support/guarded.ts';
import { adas, answers, bobs, catalogue, moved, offer } from '../support/two-people.ts';

const guarded = guardedLedgers();

async function withWork(): Promise<Guarded> {
  const subject = await guarded.open();
  await offer(subject, [...adas, ...bobs(), ...moved()]);
  return subject;
}

describe('a token that reads only its own', () => {
  it('sees nothing of anybody else, by any question', async () => {
    const subject = await withWork();
    const { text } = await subject.make({ user: 'ada', scopes: ['read'], onlyOwn: true });
    const told = (await answers(subject, text)).map((answer) =>
      answer.slice(answer.indexOf(' ', answer.indexOf(' ') + 1)),
    );
    expect(told.filter((answer) => /bob|carol/.test(answer))).toEqual([]);
  });

  it('gets the answers of a ledger that holds nothing else', async () => {
    const subject = await withWork();
    const alone = await guarded.open();
    await offer(alone, adas);
    const { text } = await subject.make({ user: 'ada', scopes: ['read'], onlyOwn: true });
    expect(await answers(subject, text)).toEqual(await answers(alone, alone.machineToken));
  });

  it('gets 404 for a session of others, as for one that does not exist', async () => {
    const { ask, make, ...rest } = await withWork();
    const { text } = await make({ user: 'ada', scopes: ['read'], onlyOwn: true });
    const [theirs, none] = await Promise.all(
      ['bob-vault', 'nobody'].map((id) => ask({ url: `/v1/sessions/${id}`, token: text })),
    );
    expect(theirs?.status).toBe(404);
    expect(theirs?.text).toBe(none?.text);
    expect((await ask({ url: '/v1/sessions/bob-vault', token: rest.machineToken })).status).toBe(
      200,
    );
  });

  it('does not learn how much there is in all, nor does one that only sends', async () => {
    const { ask, make } = await withWork();
    const limited = await make({ user: 'ada', scopes: ['read'], onlyOwn: true });
    const sending = await make({ user: 'ada', scopes: ['ingest'] });
    const reading = await make({ user: 'ada', scopes: ['read'] });
    const readyFor = async (token: string) =>
      JSON.parse((await ask({ url: '/health/ready', token })).text);
    for (const { text } of [limited, sending])
      expect(await readyFor(text)).toMatchObject({ ready: true, problems: [], views: [] });
    expect((await readyFor(reading.text)).views).not.toEqual([]);
  });

  it('sees nothing if its user never worked here', async () => {
    const { ask, make } = await withWork();
    const { text } = await make({ user: 'eve', scopes: ['read'], onlyOwn: true });
    expect(JSON.parse((await ask({ url: '/v1/usage', token: text })).text).rows).toEqual([]);
    expect(JSON.parse((await ask({ url: '/v1/sessions', token: text })).text).rows).toEqual([]);
  });
});

describe('a token that reads only some projects', () => {
  it('sees nothing of other projects, by any question', async () => {
    const subject = await withWork();
    const { text } = await subject.make({ scopes: ['read'], projects: ['shop'] });
    const told = (await answers(subject, text)).map((answer) =>
      answer.slice(answer.indexOf(' ', answer.indexOf(' ') + 1)),
    );
    expect(told.filter((answer) => /bob|blog-of-ada/.test(answer))).toEqual([]);
  });

  it('counts for a session that moved only what it spent there, in every report', async () => {
    const subject = await withWork();
    const { text } = await subject.make({ scopes: ['read'], projects: ['shop'] });
    const records = 5;
    for (const url of [
      '/v1/usage?by=user',
      '/v1/usage?by=user&timezone=Asia/Kolkata&since=2026-11-16&until=2026-11-19',
    ]) {
      const { rows, total } = JSON.parse((await subject.ask({ url, token: text })).text);
      expect(total.records).toBe(records);
      expect(
        Object.fromEntries(
          rows.map((row: { user: string; records: number }) => [row.user, row.records]),
        ),
      ).toEqual({
        ada: 3,
        carol: 2,
      });
    }
    const repriced = await subject.ask({
      method: 'POST',
      url: '/v1/reprice?by=user',
      token: text,
      body: catalogue,
    });
    const { rows } = JSON.parse(repriced.text) as { rows: { records: number }[] };
    expect(rows.reduce((sum, row) => sum + row.records, 0)).toBe(records);
  });

  it('finds a session where it is now, with what it spent there', async () => {
    const { ask, make } = await withWork();
    const { text } = await make({ scopes: ['read'], projects: ['shop'] });
    const { rows } = JSON.parse((await ask({ url: '/v1/sessions', token: text })).text) as {
      rows: { id: string; records: number }[];
    };
    expect(rows.map(({ id, records }) => [id, records])).toEqual([
      ['carol-returned', 1],
      ['ada-child', 1],
      ['ada-shop', 2],
    ]);
    const single = await ask({ url: '/v1/sessions/carol-returned', token: text });
    expect(JSON.parse(single.text).records).toBe(1);
  });

  it('may be let into several', async () => {
    const subject = await withWork();
    const { text } = await subject.make({ scopes: ['read'], projects: ['shop', 'blog-of-ada'] });
    const { rows } = JSON.parse((await subject.ask({ url: '/v1/usage', token: text })).text) as {
      rows: { project: string }[];
    };
    expect(rows.map(({ project }) => project).toSorted()).toEqual(['blog-of-ada', 'shop']);
  });
});
