import { describe, expect, it } from 'vitest';
import {
  callerWith,
  localCaller,
  machineCaller,
  mayUse,
  readConditions,
} from '../../../collector/auth/access.ts';
import { limitViews } from '../../../collector/auth/limited-views.ts';
import type { AccessToken } from '../../../collector/auth/tokens.ts';
import { producers } from '../../../collector/projections/producers.ts';
import { totals } from '../../../collector/projections/totals.ts';
import { usage } from '../../../collector/projections/usage.ts';
import { sessions } from '../projections/support/bare-sessions.ts';
import { ledgerHomes, post } from '../support/ledger.ts';
import { work } from '../support/work.ts';

const homes = ledgerHomes();
const onlyShop = [{ column: 'project', is: 'in' as const, values: ['shop'] }];
const everything = { where: [], orderBy: { column: 'key', descending: false }, limit: 10 };

async function views() {
  const ledger = await homes.open();
  await post(ledger, work);
  await ledger.subscription.catchUp();
  return ledger.views;
}

describe('views with a limit', () => {
  it('find and sum nothing but what it lets through', async () => {
    const all = await views();
    const seen = limitViews(all, onlyShop);
    expect((await seen.find(sessions, everything)).map(({ key }) => key)).toEqual(['s-shop']);
    expect(
      await seen.find(sessions, {
        ...everything,
        where: [{ column: 'key', is: 'in', values: ['s-blog', 's-lost', 'none'] }],
      }),
    ).toEqual([]);
    expect(
      (await seen.sum(sessions, usage, { by: ['project'], where: [] })).map(
        ({ dimensions }) => dimensions.project,
      ),
    ).toEqual(['shop']);
    expect(
      (
        await seen.sum(sessions, usage, {
          by: ['project'],
          where: [{ column: 'project', is: 'in', values: ['blog'] }],
        })
      ).length,
    ).toBe(0);
    expect(
      (await seen.sum(sessions, totals, { by: ['project'], where: [] })).map(
        ({ dimensions }) => dimensions.project,
      ),
    ).toEqual(['shop']);
  });

  it('refuse a projection that cannot be limited', async () => {
    const seen = limitViews(await views(), onlyShop);
    await expect(seen.find(producers, everything)).rejects.toThrow(
      'producers has no column project',
    );
    const bare = { ...usage, name: 'bare', dimensions: ['hour'] };
    await expect(seen.sum(sessions, bare, { by: [], where: [] })).rejects.toThrow(
      'bare has no column project',
    );
  });

  it('tell how many events were set aside, and not which', async () => {
    const all = await views();
    const event = { position: 1, eventId: 'e1', reason: 'It cannot be folded.' };
    const seen = limitViews(
      { ...all, setAside: async () => ({ count: 3, events: [event] }) },
      onlyShop,
    );
    expect(await seen.setAside(sessions, 10)).toEqual({ count: 3, events: [] });
  });

  it('are the views themselves where there is no limit', async () => {
    const all = await views();
    expect(limitViews(all, [])).toBe(all);
  });
});

describe('a caller', () => {
  const token: AccessToken = {
    id: '0',
    user: 'ada',
    scopes: ['read'],
    reading: { is: 'own' },
    note: null,
    createdAtMs: 0,
    expiresAtMs: null,
    revokedAtMs: null,
  };

  it('reads what its token says', () => {
    expect(readConditions(callerWith(token, 0))).toEqual([
      { column: 'user', is: 'in', values: ['ada'] },
    ]);
    expect(
      readConditions(
        callerWith({ ...token, reading: { is: 'projects', projects: ['a', 'b'] } }, 0),
      ),
    ).toEqual([{ column: 'project', is: 'in', values: ['a', 'b'] }]);
    expect(readConditions(machineCaller)).toEqual([]);
    // A caller without a user owns nothing, not everything.
    expect(readConditions({ ...localCaller, reading: { is: 'own' } })).toEqual([
      { column: 'user', is: 'in', values: [] },
    ]);
  });

  it('with the scope admin may do what the others may', () => {
    const admin = callerWith({ ...token, scopes: ['admin'] }, 0);
    for (const scope of ['public', 'ingest', 'read', 'admin', 'tokens'] as const)
      expect(mayUse(admin, scope)).toBe(true);
    expect(mayUse(localCaller, 'tokens')).toBe(false);
    expect(mayUse(callerWith({ ...token, scopes: ['ingest'] }, 0), 'read')).toBe(false);
  });
});
