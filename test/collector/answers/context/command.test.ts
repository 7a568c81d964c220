/** `pi-ledger context` from its arguments to its output. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CommandLine, commandLineOn } from '../../support/command-line.ts';
import { large } from '../../support/compacted.ts';
import { compactedHome } from '../../support/compacted-home.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { Story, sizes } from './given.ts';

const directory = temporaryDirectory();
let line: CommandLine;

beforeAll(async () => {
  line = await compactedHome(directory);
});

describe('pi-ledger context', () => {
  it('shows what filled the window, the threshold and the compactions', async () => {
    const { code, printed } = await line.run('context', 'shop-1', '--at', 't4');
    expect(code).toBe(0);
    for (const part of [
      'Session shop-1: shop, pi, ',
      "the window holds 20,000, and the host compacts above 12,000 (by the host's settings)",
      // 8,000 of 8,100.
      'Of the last measured request, 99 % came from the cache, 0 % was written to it, ',
      '12,000 ┤╌',
      '▲ compaction   ╌╌ the host compacts',
      'What filled it at t4: 8,100 tokens (measured by the provider), parts estimated',
      'results of read',
      '3 compactions, 2 failed: cost n/a subscription, files read again 1 time',
      'src/a.ts',
      '1 cache miss: 500 tokens sent again at an unknown price (1 after a compaction)',
    ]) {
      expect(printed).toContain(part);
    }
  });

  it('says what is held after a branch summary without an answer', async () => {
    const summary = { sizes: sizes({ textChars: 40 }) };
    const left = new Story('left-1')
      .user('u1')
      .turn('t1', large)
      .entry('pi.branch.summarized.v1', 'b1', summary);
    const alone = await commandLineOn(mkdtempSync(join(directory, 'left-')), left.events);
    expect((await alone.run('context', 'last')).printed).toContain(
      '9,120 tokens in the window after a branch summary (estimated); ',
    );
  });

  it('draws the saw-tooth of a recorded session', async () => {
    const { printed } = await line.run('context', '01a1fff4-fb9f', '--timezone', 'UTC');
    const chart = printed
      .split('\n')
      .filter((each) => /[│└▲]/.test(each) && !each.includes('compaction'));
    expect(chart).toEqual([
      '9,000 │████',
      '      │████',
      '      │████',
      '      │████                        ▇▇▇▇',
      '      │████                    ████████',
      '      │████            ▁▁▁▁████████████',
      '      │████▇▇▇▇▇▇▇▇▂▂▂▂████████████████',
      '      │████████████████████████████████',
      '    0 └────────────────────────────────',
      '       ▲',
    ]);
  });

  it('wraps its sentences at the width of the terminal', async () => {
    const { printed } = await line.runOn({ columns: 80 }, 'context', 'shop-1', '--at', 't4');
    const lines = printed.split('\n');
    expect(lines.filter((each) => each.length > 80)).toEqual([]);
    expect(printed.replaceAll('\n', ' ')).toContain(
      "the window holds 20,000, and the host compacts above 12,000 (by the host's settings)",
    );
  });

  it('mentions no entry if the newest is shown', async () => {
    expect((await line.run('context', 'shop-1')).printed).toContain('What fills it: ');
  });

  it('prints the series as JSON', async () => {
    const { printed } = await line.run('context', 'last', '--json', '--points', '10');
    expect(JSON.parse(printed)).toMatchObject({
      session: 'shop-1',
      now: { kind: 'compaction', tokens: 900, source: 'estimate' },
    });
  });

  it.each([
    [['context', 'nobody'], 1, 'No such session.'],
    [['context', '01a1fff'], 2, 'session: "01a1fff" matches several sessions: '],
    [
      ['context', 'shop-1', '--at', 'nobody'],
      2,
      'at: this session has no entry "nobody" in the ledger.',
    ],
    [
      ['context', 'shop-1', '--points', '3'],
      2,
      '--points: expected a whole number from 10 to 5000, got "3"',
    ],
    [['context'], 2, "missing required argument 'session'"],
  ])('%j is refused in words', async (argv, code, message) => {
    const ended = await line.run(...argv);
    expect([ended.code, ended.printed]).toEqual([code, '']);
    expect(ended.complained).toContain(message);
  });
});
