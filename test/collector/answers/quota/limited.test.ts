/** What a limited token learns of plans: its own, or what was told in its projects. */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { Quota, QuotaHistory } from '@pi-ledger/contract/answers';
import { describe, expect, it } from 'vitest';
import { attributed, event, turn } from '../../projections/support/given.ts';
import { guardedLedgers, startMs } from '../../support/guarded.ts';
import { offer } from '../../support/two-people.ts';

const guarded = guardedLedgers();
const hourMs = 3_600_000;
const at = new Date(startMs - hourMs).toISOString();
const billing = { anthropic: 'subscription' as const };
const limit = { window: 'week', windowMs: 168 * hourMs, limit: 10 } as const;
const quota = { anthropic: [{ ...limit, unit: 'messages', starts: 'rolling' }] };

function work(user: string, project: string, session: string): readonly LedgerEvent[] {
  const nothing = { limit: null, remaining: null, status: null };
  const said = { window: 'unified-5h', utilization: 0.5, resetAtMs: startMs + hourMs, ...nothing };
  return [
    attributed(at, { user, project, billing }, session),
    turn(at, {}, session),
    event('pi.response.received.v1', { at, session }, { provider: 'anthropic', limits: [said] }),
  ];
}

interface Limits {
  readonly onlyOwn?: boolean;
  readonly projects?: string[];
}

async function rowsFor(token: Limits) {
  const rows = await windowsFor(token);
  return rows.map(({ user, name, used, isAtLeast }) => [user, name, used, isAtLeast]);
}

async function windowsFor(token: Limits): Promise<Quota['rows']> {
  return (await answerFor<Quota>(token, '/v1/quota')).rows;
}

async function answerFor<Answer>(token: Limits, url: string): Promise<Answer> {
  const subject = await guarded.open({ quota });
  await offer(subject, [
    ...work('ada', 'shop', 'a'),
    ...work('ada', 'vault', 'b'),
    ...work('bob', 'vault', 'c'),
  ]);
  const { text } = await subject.make({ user: 'ada', scopes: ['read'], ...token });
  return JSON.parse((await subject.ask({ url, token: text })).text);
}

describe('GET /v1/quota', () => {
  it('shows everybody to a token without limits', async () => {
    expect(await rowsFor({})).toEqual([
      ['ada', '5 h', null, false],
      ['ada', 'week', '2', false],
      ['bob', '5 h', null, false],
      ['bob', 'week', '1', false],
    ]);
  });

  it("shows a token's own plan in full", async () => {
    expect(await rowsFor({ onlyOwn: true })).toEqual([
      ['ada', '5 h', null, false],
      ['ada', 'week', '2', false],
    ]);
  });

  it('shows what was told and spent in its projects, as a part of what was used', async () => {
    expect(await rowsFor({ projects: ['shop'] })).toEqual([
      ['ada', '5 h', null, false],
      ['ada', 'week', '1', true],
    ]);
  });

  it('says what a full window buys only to whoever sees all of its use', async () => {
    const worths = async (token: Limits) => (await windowsFor(token)).map(({ worth }) => worth);
    expect(await worths({ onlyOwn: true })).toMatchObject([{ tokens: 4 }, null]);
    expect(await worths({ projects: ['shop'] })).toEqual([null, null]);
  });
});

describe('GET /v1/quota/history', () => {
  it('has what was told in sessions that the token sees', async () => {
    const usersFor = async (token: Limits) => {
      const url = '/v1/quota/history?by=user';
      const { rows } = await answerFor<QuotaHistory>(token, url);
      return rows.map(({ user, usedWindows }) => [user, usedWindows]);
    };
    expect(await usersFor({})).toEqual([
      ['ada', 0.5],
      ['bob', 0.5],
    ]);
    expect(await usersFor({ onlyOwn: true })).toEqual([['ada', 0.5]]);
    expect(await usersFor({ projects: ['shop'] })).toEqual([['ada', 0.5]]);
    expect(await usersFor({ projects: ['other'] })).toEqual([]);
  });
});
