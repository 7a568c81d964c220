import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../../../collector/config/config.ts';
import { startCollector } from '../../../../collector/main.ts';
import { attributed, turn } from '../../projections/support/given.ts';
import { type CommandLine, commandLineOn } from '../../support/command-line.ts';
import { temporaryDirectory } from '../../support/directory.ts';

const directory = temporaryDirectory();
const list = join(directory, 'list.json');
let ledger: CommandLine;

beforeAll(async () => {
  copyFileSync(new URL('./price-list.json', import.meta.url), list);
  const at = '2026-11-20T08:00:00.000Z';
  ledger = await commandLineOn(directory, [
    attributed(at, { billing: { anthropic: 'metered', openai: 'subscription' } }),
    turn(at, {
      provider: 'anthropic',
      model: 'claude-sonnet-5',
      inputTokens: 100_000,
      costNanoUsd: 1_000_000_000,
    }),
    turn(at, { provider: 'openai', model: 'gpt-6', inputTokens: 100_000, costNanoUsd: 25_000_000 }),
    turn('2026-11-21T08:00:00.000Z', {
      provider: 'acme',
      model: 'none',
      costNanoUsd: null,
      costSource: 'unpriced',
    }),
    turn(at, {
      provider: 'acme',
      model: 'none',
      reported: false,
      inputTokens: 0,
      costNanoUsd: null,
      costSource: 'unpriced',
    }),
  ]);
});

const written = (name: string, text: string) => {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
};

describe('pi-ledger reprice', () => {
  it('shows recorded and repriced amounts by billing, and what is left out', async () => {
    const { code, printed } = await ledger.run('reprice', '--catalog', list);
    expect(code).toBe(0);
    expect(printed.split('\n')[0]).toContain('by project · repriced by list.json');
    const cells = printed.split('\n').map((line) => line.split(/ {2,}/));
    const amounts = (line: readonly string[] | undefined) => [
      line?.[0],
      line?.[1],
      ...(line?.slice(2, 6) ?? []),
    ];
    expect(cells[1]?.slice(2, 6)).toEqual(['recorded', 'repriced', 'difference', 'left out']);
    expect(cells.slice(2, 5).map(amounts)).toEqual([
      ['shop', 'metered', '$1.00', '$0.30', '-$0.70', '0'],
      ['shop', 'subscription', '$0.03', '$0.13', '+$0.10', '0'],
      ['shop', 'unknown', 'n/a', 'n/a', 'n/a', '1'],
    ]);
    expect(cells.slice(6, 9).map(([label, billing]) => [label, billing])).toEqual([
      ['total', 'metered'],
      ['total', 'subscription'],
      ['total', 'unknown'],
    ]);
    expect(printed).toContain('acme/none: 1 record, not in the price list');
    expect(printed).toContain('   1 record reported nothing; the cost is not known\n');
    expect(printed).toContain('   subscription: at list price, not billed');
    expect(printed).not.toContain('$0.00 ');
  });

  it('is JSON, narrowed and grouped as asked', async () => {
    const { printed } = await ledger.run(
      'reprice',
      '--catalog',
      list,
      '--by',
      'model',
      '--since',
      '2026-11-21',
      '--json',
    );
    expect(JSON.parse(printed)).toMatchObject({
      by: ['model'],
      rows: [{ model: 'none', records: 1, leftOutRecords: 1, repricedNanoUsd: '0' }],
      rowsLeftOut: 0,
    });
  });

  it('asks a running collector in the same words', async () => {
    const alone = [
      await ledger.run('reprice', '--catalog', list),
      await ledger.run('sessions', '--tree'),
    ];
    const config = loadCollectorConfig({
      PI_LEDGER_HOME: join(directory, 'home'),
      PI_LEDGER_PORT: '0',
    });
    const collector = await startCollector(config, { logStream: null });
    try {
      expect([
        await ledger.run('reprice', '--catalog', list),
        await ledger.run('sessions', '--tree'),
      ]).toEqual(alone);
      expect(await ledger.run('reprice', '--catalog', list, '--since', '2026-13-01')).toMatchObject(
        {
          code: 2,
          complained: expect.stringContaining('--since'),
        },
      );
    } finally {
      await collector.stop();
    }
  });

  it('leaves the report as it was', async () => {
    const before = await ledger.run('report', '--json');
    await ledger.run('reprice', '--catalog', list);
    expect(await ledger.run('report', '--json')).toEqual(before);
  });

  it('says that nothing is recorded instead of showing an empty table', async () => {
    expect(await ledger.run('reprice', '--catalog', list, '--until', '2020-01-01')).toMatchObject({
      code: 0,
      printed: expect.stringMatching(/\nNothing in this period; the newest session is of /),
    });
    expect((await ledger.run('reprice', '--catalog', list, '--project', 'no')).complained).toMatch(
      /^error: --project: no was never seen\. Projects: /,
    );
  });

  it.each([
    [
      'no such file',
      () => join(directory, 'none.json'),
      ['none.json cannot be read: there is no such file'],
    ],
    ['no JSON', () => written('broken.json', '{"a":'), ['broken.json', 'is not JSON']],
    [
      'another shape',
      () => written('list-of.json', '[]'),
      ['list-of.json', 'expected providers by id'],
    ],
    [
      'a bad price',
      () =>
        written(
          'bad.json',
          readFileSync(list, 'utf8').replace('"output": 15,', '"output": "fifteen",'),
        ),
      [
        'bad.json',
        'anthropic/claude-sonnet-5: cost.output',
        'expected a price in USD per million tokens',
        '"fifteen"',
      ],
    ],
  ])('takes %s for wrong use, and says where and what was expected', async (_what, path, said) => {
    const { code, complained } = await ledger.run('reprice', '--catalog', path());
    expect(code).toBe(2);
    for (const text of said) expect(complained).toContain(text);
  });

  it('asks for a catalogue', async () => {
    expect(await ledger.run('reprice')).toMatchObject({
      code: 2,
      complained: expect.stringContaining('--catalog'),
    });
  });
});
