import { describe, expect, it } from 'vitest';
import { attributed, turn } from '../../projections/support/given.ts';
import { commandLineOn } from '../../support/command-line.ts';
import { temporaryDirectory } from '../../support/directory.ts';

const at = '2026-11-20T09:10:00.000Z';
const line = await commandLineOn(temporaryDirectory(), [
  attributed(at, { project: 'shop' }),
  turn(at, { costNanoUsd: 1_230_000_000 }),
  turn('2026-11-21T09:10:00.000Z', { costNanoUsd: null, costSource: 'unpriced' }),
]);

describe('pi-ledger label', () => {
  it('says what it would label, labels it, and says what was so before', async () => {
    const words = ['label', '--project', 'shop', 'team=pay and ship', 'ticket=A-1'];
    const what = 'team=pay and ship, ticket=A-1: 2 records in 1 session';
    const dry = await line.run(...words, '--dry-run');
    expect(dry.printed).toContain(
      `would label with ${what}\nmetered ≥ $1.23, 1 record without a price`,
    );
    expect((await line.run(...words)).printed).toContain(`labelled with ${what}`);
    expect((await line.run(...words)).printed).toContain('1 session had it already');
  });

  it('marks each kind of billing by its own records without a price', async () => {
    const mixed = await commandLineOn(temporaryDirectory(), [
      attributed(at, { billing: { anthropic: 'metered', openai: 'subscription' } }),
      turn(at, { costNanoUsd: null, costSource: 'unpriced' }),
      turn(at, { provider: 'openai', costNanoUsd: 4_890_000_000 }),
    ]);
    const { printed } = await mixed.run('label', '--project', 'shop', 'team=x', '--dry-run');
    expect(printed).toContain('metered n/a, subscription $4.89, 1 record without a price');
  });

  it('takes days and minutes, and says when nothing fits', async () => {
    const { printed } = await line.run('label', '--until', '2026-11-20T09:10:00Z', 'team=x');
    expect(printed).toContain('no record fits');
    const json = await line.run('label', '--json', '--since', '2026-11-21', 'team=');
    expect(JSON.parse(json.printed)).toMatchObject({ sessions: 1, changed: 1, records: 1 });
  });

  it('is found in reports, beside what has no label', async () => {
    await line.run('label', '--until', '2026-11-20', 'floor=2');
    const { printed } = await line.run('report', '--by', 'label:floor');
    expect(printed).toMatch(/\n2 +\$1\.23/);
    expect(printed).toMatch(/\n\(none\) +n\/a/);
  });

  it.each([
    [['--project', 'shop', 'team'], '`team`: write KEY=VALUE'],
    [['--project', 'shop', 'Team=x'], '`Team`: expected a label of up to 50'],
    [['team=x'], 'which records: name at least one of --since, --until, --project'],
    [['--since', 'someday', 'team=x'], '--since: expected a day'],
    [
      ['--since', '2026-10-20', '--until', '2026-10-10', 'team=x'],
      '--since 2026-10-20 is after --until 2026-10-10',
    ],
    [['--project', 'shop'], "missing required argument 'key=value'"],
  ])('refuses %j', async (words, said) => {
    const { code, complained } = await line.run('label', ...words);
    expect([code, complained]).toEqual([2, expect.stringContaining(said)]);
  });
});
