import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attributed, event, turn } from '../../projections/support/given.ts';
import { commandLineOn } from '../../support/command-line.ts';
import { temporaryDirectory } from '../../support/directory.ts';

const directory = temporaryDirectory();
let homes = 0;

function commandLine(quota: object, events: Parameters<typeof commandLineOn>[1]) {
  homes += 1;
  const own = join(directory, String(homes));
  mkdirSync(join(own, 'home'), { recursive: true });
  writeFileSync(join(own, 'home', 'config.json'), JSON.stringify({ quota }));
  return commandLineOn(own, events);
}

/** The ledger's clock is the machine's. */
const hourMs = 3_600_000;
const nowMs = Date.now();
const at = new Date(nowMs - hourMs).toISOString();
const billing = { anthropic: 'subscription' as const, openai: 'subscription' as const };
const toldUntil = (resetAtMs: number, utilization = 0.629) =>
  event(
    'pi.response.received.v1',
    { at },
    {
      provider: 'anthropic',
      limits: [
        {
          window: 'unified-5h',
          limit: null,
          remaining: null,
          utilization,
          resetAtMs,
          status: 'allowed',
        },
      ],
    },
  );
const told = toldUntil(nowMs + 2 * hourMs);

describe('pi-ledger quota', () => {
  it('shows each window, until when, at which rate, and who says so', async () => {
    const line = await commandLine(
      { openai: [{ window: 'week', limit: 4, in: 'list-price dollars' }] },
      [
        attributed(at, { billing }),
        told,
        turn(at, { provider: 'openai', costNanoUsd: 1_636_000_000 }),
        turn(at, { provider: 'openai', costNanoUsd: null, costSource: 'unpriced' }),
      ],
    );
    const { code, printed } = await line.run('quota');
    expect(code).toBe(0);
    const rows = printed.split('\n').map((row) => row.split(/ {2,}/));
    expect(rows[0]?.[0]).toContain('what subscriptions used of their windows');
    expect(rows[2]?.slice(0, 4)).toEqual(['anthropic', '5 h', '62 %', '▇▇▇▇▇▇▁▁▁▁']);
    expect(rows[2]?.at(5)).toMatch(/^~\d{4}-\d\d-\d\d /);
    expect(rows[2]?.at(6)).toBe('provider');
    expect(rows[2]?.at(7)).toMatch(/^\d{4}-\d\d-\d\d /);
    expect(rows[3]).toEqual([
      'openai',
      'week',
      '≥ 40 %',
      '▇▇▇▇▁▁▁▁▁▁',
      'rolling',
      expect.stringMatching(/^~\d{4}-\d\d-\d\d /),
      'this ledger',
      '–',
      '$1.64 of $4.00',
    ]);
    expect(printed).toContain('≥  1 record without a price: pi-ledger models --unpriced');
    expect(printed).toContain('told by this ledger: its own sum, against the limit that you set');
    const narrow = (await line.runOn({ columns: 80 }, 'quota')).printed;
    expect(narrow).toMatch(/^anthropic .* provider/m);
    expect(narrow).toMatch(/^openai .* this ledger/m);
    expect(narrow.split('\n').filter((row) => row.length > 80)).toEqual([]);
    expect(JSON.parse((await line.run('quota', '--json')).printed).rows).toHaveLength(2);
  });

  it('says of a window that it has ended', async () => {
    const line = await commandLine({}, [attributed(at, { billing }), toldUntil(nowMs - 60_000)]);
    expect((await line.run('quota')).printed).toMatch(/^anthropic +5 h +n\/a +has ended /m);
  });

  it('says what to set where nothing is known', async () => {
    const line = await commandLine({}, [attributed(at), turn(at)]);
    const { code, printed } = await line.run('quota');
    expect(code).toBe(0);
    expect(printed).toContain('no provider told of a window');
    expect(printed).toContain('"quota": {');
  });

  it('says that nothing is covered where a limit is set for what is billed by use', async () => {
    const limit = { window: '5h', limit: 4, in: 'messages' };
    const line = await commandLine({ anthropic: [limit] }, [attributed(at), turn(at)]);
    expect((await line.run('quota')).printed).toContain(
      'nothing recorded with anthropic that a subscription covers',
    );
  });
});

describe('pi-ledger quota history', () => {
  it('shows what was used of plans, most at once, and how many plans would do', async () => {
    const line = await commandLine({}, [
      attributed(at, { billing, user: 'ada' }),
      told,
      { ...toldUntil(nowMs + 2 * hourMs), ...{ subject: 'other' } },
    ]);
    const { code, printed } = await line.run('quota', 'history');
    expect(code).toBe(0);
    const rows = printed.split('\n').map((row) => row.split(/ {2,}/));
    expect(rows[0]?.[0]).toMatch(/^what was used of plans' windows, .* to .*, days in UTC$/);
    expect(rows[2]?.slice(0, 7)).toEqual(['anthropic', '5 h', '2', '2', '1.26', '0', '1.26']);
    expect(rows[2]?.at(-1)).toBe('2');
    expect(printed).toContain('what other programs used is in it');
    const byUser = await line.run('quota', 'history', '--by-user', '--since', '2d');
    expect(byUser.printed).toMatch(/^anthropic +5 h +ada +1 +0\.63 /m);
    expect(byUser.printed).toMatch(/^anthropic +5 h +\(unknown\) +1 +0\.63 /m);
    const json = await line.run('quota', 'history', '--json');
    expect(JSON.parse(json.printed).rows).toMatchObject([{ users: 2, plansNeeded: 2 }]);
  });

  it('says that more might have been used where windows were full', async () => {
    const line = await commandLine({}, [toldUntil(nowMs + 2 * hourMs, 1)]);
    const { printed } = await line.run('quota', 'history');
    expect(printed).toMatch(/ ≥ 2$/m);
    expect(printed).toContain('≥  1 window full: more might have been used');
  });

  it('says that no provider told of a window, and refuses what is no day', async () => {
    const line = await commandLine({}, [attributed(at), turn(at)]);
    const { printed } = await line.run('quota', 'history');
    expect(printed).toContain('no provider reported any use');
    const { code, complained } = await line.run('quota', 'history', '--since', '24h');
    expect([code, complained]).toEqual([2, expect.stringContaining('--since: expected a day')]);
  });
});
