/** `pi-ledger compactions` from its arguments to its output. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { CommandLine } from '../../support/command-line.ts';
import { compactedHome } from '../../support/compacted-home.ts';
import { temporaryDirectory } from '../../support/directory.ts';

const directory = temporaryDirectory();
let line: CommandLine;

beforeAll(async () => {
  line = await compactedHome(directory);
});

describe('pi-ledger compactions', () => {
  it('lists them with their totals', async () => {
    const { code, printed } = await line.run('compactions', '--timezone', 'UTC');
    expect(code).toBe(0);
    const lines = printed.split('\n').map((each) => each.trim().split(/\s{2,}/));
    const estimated = lines.find((cells) => cells.includes('shop-1') && cells.includes('~900'));
    expect(estimated).toEqual(expect.arrayContaining(['8,110', '~900', '~7,210']));
    expect(lines).toContainEqual(
      expect.arrayContaining(['–', '$0.0024', '+$0.0239', '7,500', '0', '9,600', '2,100']),
    );
    expect(lines).toContainEqual([
      'total',
      // Metered, subscription and unknown billing, then their nets: never one number.
      ...['–', 'n/a', '≥ $0.0047', '–', 'n/a', '~ +$0.0239'],
      ...['5', '15,210', '1', '20 %', '2', '1'],
    ]);
    expect(printed.split('\n').slice(-4)).toEqual([
      '≥  4 summaries of unknown cost: not reported, or no price',
      '~  without 1 net of compactions, not known',
      '   re-read: 1 file within 10 turns: pi-ledger compactions show ID',
      '~  estimated by the host: no answer has followed yet',
    ]);
  });

  it('has no saving in a total that no answer has measured', async () => {
    const { rows, total } = JSON.parse((await line.run('compactions', '--json')).printed);
    type Row = { kind: string; tokensAfterMeasured: number | null; savedTokens: number | null };
    const saved = (fits: (row: Row) => boolean) =>
      (rows as Row[])
        .filter((row) => row.kind === 'compaction' && fits(row))
        .reduce((sum, { savedTokens }) => sum + (savedTokens ?? 0), 0);
    expect(saved(({ tokensAfterMeasured }) => tokensAfterMeasured === null)).toBeGreaterThan(0);
    expect(total.savedTokens).toBe(
      saved(({ tokensAfterMeasured }) => tokensAfterMeasured !== null),
    );
  });

  it('narrows, and prints JSON and CSV of all rows', async () => {
    const json = JSON.parse(
      (
        await line.run(
          'compactions',
          '--session',
          'shop',
          '--trigger',
          'manual',
          'overflow',
          '--json',
          '--limit',
          '1',
        )
      ).printed,
    );
    expect(json.rows.map(({ trigger }: { trigger: string }) => trigger)).toEqual([
      'overflow',
      'manual',
    ]);
    expect(Object.keys(json)).toEqual(['rows', 'total', 'byProject', 'byModel']);
    const csv = (await line.run('compactions', '--csv', '--kind', 'branchSummary')).printed.split(
      '\r\n',
    );
    expect(csv).toHaveLength(2);
    expect(csv[1]).toContain('22e94b7f');
  });

  it('says so if there are none', async () => {
    expect((await line.run('compactions', '--until', '2020-01-01')).printed).toMatch(
      / · all projects · newest first\nNo compactions match\.$/,
    );
  });

  it('names the triggers that exist for one that was never seen', async () => {
    const { code, complained } = await line.run('compactions', '--trigger', 'nothing');
    expect(code).toBe(2);
    expect(complained).toMatch(/^error: --trigger: nothing was never seen\. Triggers: .*manual/);
  });

  it.each([
    [
      ['compactions', '--limit', '0'],
      2,
      '--limit: expected a whole number from 1 to 1000, got "0"',
    ],
    [['compactions', '--session', 'nobody'], 1, 'No such session.'],
    [['compactions', '--kind', 'spend'], 2, 'kind: '],
    [['compactions', '--since', 'someday'], 2, '--since: expected a day'],
    [['compactions', 'show', 'nobody'], 1, 'No such compaction.'],
  ])('%j is refused in words', async (argv, code, message) => {
    const ended = await line.run(...argv);
    expect([ended.code, ended.printed]).toEqual([code, '']);
    expect(ended.complained).toContain(message);
  });
});

describe('pi-ledger compactions show', () => {
  it('names what was read again, and the terms of the net', async () => {
    const { printed } = await line.run('compactions', 'show', 'shop-1-c2');
    expect(printed).toContain(
      'Read again within 10 turns: 1 file read, about 1,000 tokens\n  src/a.ts',
    );
    expect(printed).toContain('The summary lists as read: 2 files\n  src/a.ts\n  src/b.ts');
    expect(printed).toContain('net, without the summary, what was read again (cost unknown)');
    const recorded = await line.run('compactions', 'show', 'a70dd6a6');
    expect(recorded.printed).toContain('$0.0263  7,500 not sent in each of 7 turns: 52,500 tokens');
    expect(recorded.printed).toContain('=      $0.0239  net');
  });

  it('says when in the words of a terminal, and in full to a program', async () => {
    const show = ['compactions', 'show', 'shop-1-c3'];
    expect((await line.runOn({ columns: 80 }, ...show)).printed).toMatch(
      /\n {2}when {10}(today|\w{3} \d+ Nov) \d\d:\d\d/,
    );
    expect((await line.run(...show)).printed).toMatch(/\n {2}when {10}2026-11-\d\d \d\d:\d\d/);
  });

  it('says whether an imported session or its host leaves the trigger open', async () => {
    const { printed } = await line.run('compactions', 'show', 'shop-1-c3');
    expect(printed).toMatch(/\n {2}trigger {7}unknown: an imported session/);
    const live = await line.run('compactions', 'show', 'old-1-c1');
    expect(live.printed).toMatch(/took <0\.1 s\n {2}trigger {7}not reported by the host\n/);
  });

  it('distinguishes an unreported cost from tokens without a price', async () => {
    expect((await line.run('compactions', 'show', 'shop-1-c3')).printed).toMatch(
      /\n {2}cost {10}n\/a: not reported by the host \(not \$0\)\n/,
    );
    expect((await line.run('compactions', 'show', 'old-1-c1')).printed).toMatch(
      /\n {2}cost {10}n\/a: the price of its tokens is unknown/,
    );
  });

  it('says nothing about reading again before an answer has come', async () => {
    expect((await line.run('compactions', 'show', 'shop-1-c3')).printed).not.toContain(
      'Read again',
    );
    expect((await line.run('compactions', 'show', 'shop-1-c1')).printed).toContain(
      'Read again within 10 turns: nothing',
    );
  });

  it('shows a recorded summary without terminal control characters', async () => {
    const { printed } = await line.run('compactions', 'show', 'shop-1-c3');
    expect(printed).toContain('Summary (2 passages redacted, cut)\n  ## Goal\n    Ship [31mit');
    expect(printed).toContain('Did it pay off? Unknown: no answer has followed yet.');
  });

  it('tells of one that failed', async () => {
    const { rows } = JSON.parse(
      (await line.run('compactions', '--kind', 'failure', '--json')).printed,
    );
    const { printed } = await line.run('compactions', 'show', rows[0].id);
    expect(printed).toContain(`Failed compaction ${rows[0].id}`);
    expect(printed).toMatch(/took 1:01 min\n {2}trigger {7}overflow\n/);
    expect(printed).not.toContain('Dropped');
  });
});
