import { beforeAll, describe, expect, it } from 'vitest';
import { attributed, turn } from '../../projections/support/given.ts';
import { type CommandLine, commandLineOn } from '../../support/command-line.ts';
import { temporaryDirectory } from '../../support/directory.ts';

const directory = temporaryDirectory();
const usd = 1_000_000_000;
const dayMs = 86_400_000;
/** The ledger's clock is the machine's; the command line's is at noon on 2026-11-22. */
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
const since = daysAgo(30).slice(0, 10);
let line: CommandLine;

beforeAll(async () => {
  const model = "it's";
  line = await commandLineOn(directory, [
    attributed(daysAgo(60), { billing: { anthropic: 'metered', openai: 'subscription' } }),
    turn(daysAgo(60), { model, costNanoUsd: usd }),
    turn(daysAgo(9), { model, costNanoUsd: 41 * usd }),
    turn(daysAgo(9), { provider: 'openai', model: 'gpt', costNanoUsd: 7 * usd }),
    turn(daysAgo(9), { model: 'local', costNanoUsd: null, costSource: 'unpriced' }),
  ]);
});

describe('pi-ledger insights', () => {
  it('shows amount, sentence, reason and command, by billing, what is not known last', async () => {
    const { code, printed } = await line.run('insights', '--since', since);
    expect(code).toBe(0);
    const rows = printed.split('\n').map((row) => row.trim());
    const at = (text: string) => rows.findIndex((row) => row.includes(text));
    expect(rows[0]).toContain('what changed and what it cost');
    expect(rows[at("it's spends more")]).toMatch(
      /^[0-9a-f]{4} +\+\$40\.00 {2}it's spends more: \$41/,
    );
    expect(rows[at("it's spends more") + 1]).toBe('shop +$40.00');
    expect(rows[at("it's spends more") + 2]).toBe(
      `pi-ledger report --model 'it'\\''s' --by project --since ${since}`,
    );
    expect(rows[at('shop spends more: $41')]).toContain('≥ +$40.00');
    expect(rows[at('local has no price')]).toMatch(
      /^[0-9a-f]{4} +n\/a {2}local has no price: 1 record$/,
    );
    expect(rows.filter((row) => row === 'metered')).toHaveLength(1);
    expect(at('metered')).toBeLessThan(at('local has no price'));
    expect(at('local has no price')).toBeLessThan(at('subscription, at list price, not billed'));
    expect(at('subscription, at list price')).toBeLessThan(
      at('gpt spends more: $7.00 against nothing'),
    );
  });

  it('names its commands as the user calls them', async () => {
    const env = { PATH: '/nowhere' };
    for (const argv of [
      ['insights', '--since', since],
      ['digest', '--month', daysAgo(9).slice(0, 10)],
    ]) {
      const { printed } = await line.runOn({ env }, ...argv);
      expect(printed).toMatch(/node \/\S+\/collector\/bin\/pi-ledger\.mjs report --/);
      expect(printed).not.toMatch(/pi-ledger [a-z]/);
    }
  });

  it('hides one by the start of its id, shows what is hidden, and takes it back', async () => {
    const before = await line.run('insights', '--since', since);
    const [, id = ''] = /^([0-9a-f]{4}) +.*local has no price/m.exec(before.printed) ?? [];
    const hidden = await line.run('insights', 'hide', id);
    expect(hidden).toMatchObject({
      code: 0,
      printed: expect.stringContaining('local has no price'),
    });
    const after = await line.run('insights', '--since', since);
    expect(after.printed).not.toContain('local has no price');
    expect(after.printed).toContain('1 hidden: pi-ledger insights show-hidden');
    const shown = await line.run('insights', 'show-hidden', '--since', since);
    expect(shown.printed).toContain('local has no price');
    expect(shown.printed).not.toContain('spends more');
    expect(shown.printed).toContain(`pi-ledger insights unhide ${id}`);
    expect((await line.run('insights', 'unhide', id)).code).toBe(0);
    expect((await line.run('insights', '--since', since)).printed).toBe(before.printed);
  });

  it('is JSON with the rows behind each', async () => {
    const { printed } = await line.run('insights', '--since', since, '--json');
    const { rows } = JSON.parse(printed);
    expect(rows[0]).toMatchObject({
      nanoUsd: String(40 * usd),
      rows: [{ nanoUsd: String(40 * usd), text: '+$40.00: $41.00 against $1.00' }],
    });
  });

  it.each([
    [['--since', '5h'], '--since: expected a day'],
    [['--limit', '0'], '--limit: expected a whole number from 1 to 100'],
    [['hide', 'zzzz'], 'no insight of the last 30 days has an id that starts with "zzzz"'],
  ])('refuses %j', async (argv, said) => {
    expect(await line.run('insights', ...argv)).toMatchObject({
      code: 2,
      complained: expect.stringContaining(said),
    });
  });
});
