import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../../../collector/config/config.ts';
import { openLedger } from '../../../../collector/main.ts';
import { attributed, turn } from '../../projections/support/given.ts';
import { commandLineOn } from '../../support/command-line.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { exampleEvent } from '../../support/events.ts';

const directory = temporaryDirectory();
let homes = 0;

function commandLine(budgets: unknown, events: Parameters<typeof commandLineOn>[1]) {
  homes += 1;
  const own = join(directory, String(homes));
  mkdirSync(join(own, 'home'), { recursive: true });
  writeFileSync(join(own, 'home', 'config.json'), JSON.stringify({ budgets }));
  return commandLineOn(own, events);
}

/** The ledger's clock is the machine's. */
const at = new Date().toISOString();
const spent = (usd: number, session = 's1') => turn(at, { costNanoUsd: usd * 1e9 }, session);
const shop = { name: 'shop', project: 'shop', per: 'month', limit: 10, in: 'metered dollars' };
const plan = { name: 'plan', per: 'week', limit: 4, in: 'list-price dollars' };
const billing = { anthropic: 'subscription' as const };

describe('pi-ledger budgets', () => {
  it('shows what is used of each, its state, and why there is no forecast', async () => {
    const line = await commandLine(
      [shop, plan],
      [
        attributed(at),
        attributed(at, { billing }, 's2'),
        spent(8.5),
        spent(6, 's2'),
        turn(at, { costNanoUsd: null, costSource: 'unpriced' }),
      ],
    );
    const { code, printed } = await line.run('budgets');
    expect(code).toBe(0);
    const rows = printed.split('\n').map((row) => row.split(/ {2,}/));
    expect(rows[2]?.slice(0, 8)).toEqual([
      ...['plan', 'week', '$6.00', '$4.00', 'subscription', '150 %', '▇▇▇▇▇▇▇▇▇▇', 'over'],
    ]);
    expect(rows[3]?.slice(0, 8)).toEqual([
      ...['shop', 'month', '≥ $8.50', '$10.00', 'metered', '85 %', '▇▇▇▇▇▇▇▇▁▁', 'warning'],
    ]);
    expect(printed).toContain('≥  up to 1 record without a price: pi-ledger models --unpriced');
    expect(printed).toContain('no forecast of plan: its first spend is less than 14 days ago');
    expect(printed).toContain('subscription: at list price, not billed');
    const { printed: json } = await line.run('budgets', '--project', 'shop', '--json');
    expect(JSON.parse(json).rows).toMatchObject([{ name: 'shop', used: '8.5', state: 'warning' }]);
  });

  it('holds the first hundred, and names the others here and in doctor', async () => {
    const many = Array.from({ length: 101 }, (_, index) => ({ ...shop, name: `b-${index}` }));
    const line = await commandLine(many, [attributed(at), spent(1)]);
    const named = '"budgets[100]" in config.json is "b-100", expected no more than 100 budgets';
    const { printed } = await line.run('budgets');
    expect(printed).toContain(named);
    const { rows, leftOut } = JSON.parse((await line.run('budgets', '--json')).printed);
    expect([rows.length, leftOut]).toEqual([100, [`${named}; it is left out`]]);
    expect((await line.run('doctor')).printed).toContain(named);
  });

  it('says which notice was by forecast, and what was expected', async () => {
    const line = await commandLine([shop], [attributed(at), spent(1)]);
    const own = await openLedger(
      loadCollectorConfig({ PI_LEDGER_HOME: join(line.directory, 'home') }),
    );
    const forecast = {
      ...{ low: '190.1', middle: '214.75', high: '251.0309' },
      fullAt: '2026-11-28T13:20:00.000Z',
    };
    const data = { from: 'ok', to: 'forecast', used: '120', isAtLeast: false, forecast } as const;
    const said = exampleEvent({ number: 1, type: 'pi.budget.crossed.v1', data });
    const warned = exampleEvent({
      ...{ number: 2, type: 'pi.budget.crossed.v1' },
      data: { number: 2, from: 'forecast' },
    });
    await own.ingest.accept([said, warned], undefined, { is: 'record' });
    await own.subscription.catchUp();
    await own.close();
    const { printed } = await line.run('budgets', 'crossings');
    const rows = printed.split('\n').map((row) => row.split(/ {2,}/));
    const [head = [], ...cells] = rows.filter(({ length }) => length > 5);
    const valuesOf = (title: string) => cells.map((row) => row[head.indexOf(title)]);
    expect(valuesOf('state').sort()).toEqual(['forecast to warning', 'ok to forecast']);
    expect(printed).toContain('~$214.75');
    expect(printed).toContain('~  if the days left are like the last 4 of their weekdays');
  });

  it('says beside an amount what no token vouches for', async () => {
    const senders = { ...shop, name: 'senders', verifiedOnly: true };
    const tokens = { ...senders, name: 'tokens', in: 'tokens' };
    const line = await commandLine([shop, senders, tokens], [attributed(at), spent(8.5)]);
    const { printed } = await line.run('budgets');
    const rows = printed.split('\n').map((row) => row.split(/ {2,}/).slice(0, 3));
    expect(rows.slice(2, 5)).toEqual([
      ['senders', 'month', '$0.00'],
      ['shop', 'month', '$8.50'],
      ['tokens', 'month', '0'],
    ]);
    const left = 'left out, since no token says that they belong here';
    expect(printed).toContain(`senders: $8.50 of 1 record ${left}`);
    expect(printed).toContain(`tokens: 1 tokens of 1 record ${left}`);
    expect(printed).not.toContain('shop: ');
    const { rows: json } = JSON.parse((await line.run('budgets', '--json')).printed);
    expect(json.map(({ unverified }: { unverified: unknown }) => unverified)).toEqual([
      { used: '8.5', records: 1 },
      null,
      { used: '1', records: 1 },
    ]);
  });

  it('says how to set one', async () => {
    const line = await commandLine([], []);
    const { code, printed } = await line.run('budgets');
    expect([code, printed]).toEqual([0, expect.stringContaining('no budget is set')]);
    const crossings = await line.run('budgets', 'crossings', '--since', '7d');
    expect(crossings.printed).toContain('no budget came into another state then');
  });

  it('leaves out a budget that is wrong; doctor names it', async () => {
    const line = await commandLine([shop, { ...plan, in: 'euros' }], [attributed(at), spent(1)]);
    const { printed } = await line.run('budgets', '--json');
    expect(JSON.parse(printed).rows.map(({ name }: { name: string }) => name)).toEqual(['shop']);
    const doctor = await line.run('doctor');
    expect(doctor.printed).toContain('"budgets[1].in" in config.json is "euros", expected');
  });
});
