/** `pi-ledger digest` against `report` of the same days, to the nano-dollar. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { attributed, spendOf, turn } from '../../projections/support/given.ts';
import { type CommandLine, commandLineOn } from '../../support/command-line.ts';
import { compactedSession } from '../../support/compacted.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { Story } from '../context/given.ts';

afterAll(() => void vi.useRealTimers());

const usd = 1_000_000_000;
let line: CommandLine;

/** Every clock is at noon on 2026-11-22, a Sunday: budgets stand as they do then. */
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T12:00:00Z') });
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'home'), { mode: 0o700 });
  const budget = { name: 'all', per: 'month', limit: 40, in: 'metered dollars' };
  const config = JSON.stringify({ budgets: [budget] });
  writeFileSync(join(directory, 'home', 'config.json'), config, { mode: 0o600 });
  const billing = { anthropic: 'metered', openai: 'subscription' } as const;
  const spent = (at: string, session: string, project: string, costNanoUsd: number) => [
    attributed(at, { project, billing }, session),
    turn(at, { costNanoUsd }, session),
  ];
  line = await commandLineOn(directory, [
    ...spent('2026-11-10T09:00:00.000Z', 'a', 'shop', 7 * usd),
    ...spent('2026-11-15T11:59:00.000Z', 'b', 'shop', 1 * usd),
    ...spent('2026-11-15T13:00:00.000Z', 'c', 'shop', 16 * usd),
    ...spent('2026-11-17T09:00:00.000Z', 'd', 'shop', 12_345_678_901),
    ...spent('2026-11-18T09:00:00.000Z', 'e', '[lab](javascript:x)', 3 * usd + 1),
    turn('2026-11-18T09:01:00.000Z', { provider: 'openai', costNanoUsd: 5 * usd + 7 }, 'e'),
    turn(
      '2026-11-18T09:02:00.000Z',
      { model: 'local', costNanoUsd: null, costSource: 'unpriced' },
      'e',
    ),
    turn('2026-11-18T09:03:00.000Z', { reported: false, costNanoUsd: null }, 'e'),
    ...compactedSession({ id: 'f', project: 'shop' }),
  ]);
});

describe.each([
  ['this week', ['digest'], ['--since', '2026-11-16', '--until', '2026-11-22']],
  [
    'a week',
    ['digest', '--week', '2026-11-11'],
    ['--since', '2026-11-09', '--until', '2026-11-15'],
  ],
  ['a day', ['digest', '--day', '2026-11-18'], ['--since', '2026-11-18', '--until', '2026-11-18']],
  ['a month', ['digest', '--month'], ['--since', '2026-11-01', '--until', '2026-11-22']],
  [
    'a project',
    ['digest', '--project', 'shop', '--timezone', 'Asia/Tokyo'],
    [
      '--since',
      '2026-11-16',
      '--until',
      '2026-11-22',
      '--project',
      'shop',
      '--timezone',
      'Asia/Tokyo',
    ],
  ],
])('%s', (_name, digest, bounds) => {
  it.each(['project', 'model', 'session,project'])('says by %s what report says', async (by) => {
    const told = JSON.parse((await line.run(...digest, '--json')).printed);
    const report = JSON.parse((await line.run('report', '--by', by, ...bounds, '--json')).printed);
    const part = { project: 'projects', model: 'models' }[by] ?? 'sessions';
    const withoutLast = ({ lastDay: _, ...row }: Record<string, unknown>) => row;
    expect(told[part].rows).toEqual(report.rows.map(withoutLast));
    expect(told.total).toMatchObject({
      meteredNanoUsd: report.total.meteredNanoUsd,
      subscriptionNanoUsd: report.total.subscriptionNanoUsd,
      unpricedRecords: report.total.unpricedRecords,
      unreportedRecords: report.total.unreportedRecords,
    });
  });
});

it('compares a week that goes on with the same part of the one before, and says so', async () => {
  const { code, printed, complained } = await line.run('digest', '--timezone', 'UTC');
  expect({ code, complained }).toEqual({ code: 0, complained: '' });
  const lines = printed.split('\n');
  expect(lines[0]).toBe('16 Nov to 22 Nov, days in UTC · all projects · week so far');
  expect(lines[1]).toBe(
    'compared with 9 Nov 2026 to 15 Nov 2026 13:00 (UTC), as far as this week is',
  );
  const row = (start: string) => lines.find((each) => each.startsWith(start))?.split(/ {2,}/) ?? [];
  expect(row('the same part of the week before')[1]).toBe('$8.00');
  const told = JSON.parse((await line.run('digest', '--timezone', 'UTC', '--json')).printed);
  expect(told.before.meteredNanoUsd).toBe(String(8 * usd));
  expect(row('change')[1]).toMatch(/^≥ \+\$\d+\.\d\d$/);
});

it('has what spent most, what changed, budgets, and what is not known', async () => {
  const { printed } = await line.run('digest');
  const heads = ['projects', 'models', 'sessions', 'budgets, as they stand now'];
  for (const head of heads) expect(printed.split('\n')).toContain(head);
  expect(printed).toMatch(/^all +month +≥ \$\d+\.\d\d +\$40\.00 +metered .* (ok|warning|over) /m);
  expect(printed).toContain('1 attempt reported nothing');
  expect(printed).toContain('≥  1 record has no price');
  expect(printed.trimEnd().split('\n').at(-1)).toBe(
    '   the same numbers: pi-ledger report --since 2026-11-16 --until 2026-11-22',
  );
});

it('is Markdown and HTML, too', async () => {
  const { printed } = await line.run('digest', '--markdown');
  expect(printed).toContain('\n### projects\n\n| project ');
  expect(printed).toContain(String.raw`| \[lab\](javascript:x) |`);
  const page = (await line.run('digest', '--html', '-')).printed;
  expect(page).toContain('<h2><bdi>projects</bdi></h2>');
  expect(page).toContain('<svg viewBox');
});

it('says that nothing is known of a time before the first record', async () => {
  const { printed } = await line.run('digest', '--week', '2026-11-11');
  expect(printed).toMatch(/^change +n\/a/m);
  expect(printed).toContain('nothing is recorded of the week before');
});

it.each([
  [['digest', '--day', '--week'], '--day, --week: one of them, not both.'],
  [['digest', '24h'], 'digest: expected a day (2026-11-22, today, yesterday, 7d), got "24h"'],
  [['digest', 'no'], 'digest: expected a day (2026-11-22, today, yesterday, 7d), got "no"'],
  [['digest', '--week', '2026-12-01'], '--week: that of 2026-12-01 has not begun'],
  [['digest', '--json', '--markdown'], '--json, --markdown: one of them, not both.'],
])('%j is a usage error', async (argv, message) => {
  expect(await line.run(...argv)).toEqual({
    code: 2,
    printed: '',
    complained: `error: ${message}`,
  });
});

it('lists compactions that cost more than they saved, with how many there are', async () => {
  const cost = (input: number, cacheRead: number) => ({
    inputTokens: input,
    cacheReadTokens: cacheRead,
    costNanoUsd: (input * 10 + cacheRead) * 1_000,
    rawUsage: { cost: { input: input / 100_000, cacheRead: cacheRead / 1_000_000 } },
  });
  const story = new Story('s1').user('p1').turn('t1', cost(100, 1_000));
  const spend = spendOf({ costNanoUsd: 9 * usd });
  story.compaction('c1', { tokensBefore: 1_100, firstKeptEntryId: 't1', spend });
  story.turn('t2', cost(900, 100));
  const paid = await commandLineOn(temporaryDirectory(), [
    attributed('2026-11-22T09:00:00.000Z', { project: 'shop' }),
    ...story.events,
  ]);
  const { rows } = JSON.parse((await paid.run('compactions', '--did-not-pay', '--json')).printed);
  expect(rows).toHaveLength(1);
  const { printed } = await paid.run('digest');
  expect(printed).toContain('\n1 compaction cost more than it saved\n');
  expect(printed).toMatch(new RegExp(`^${rows[0].id} `, 'm'));
});

it('has what is spent on a day that is tomorrow for the reader', async () => {
  const at = '2026-11-22T11:00:00.000Z';
  const ahead = await commandLineOn(temporaryDirectory(), [
    attributed(at, { offset: 14 * 60 }),
    turn(at, { costNanoUsd: 3 * usd }),
  ]);
  const spentIn = async (...options: string[]) =>
    JSON.parse((await ahead.run('digest', ...options, '--json')).printed).total.meteredNanoUsd;
  expect(await spentIn('--month')).toBe(String(3 * usd));
  expect(await spentIn('--month', '--timezone', 'UTC')).toBe(String(3 * usd));
  expect(await spentIn('--day')).toBe('0');
  const { printed } = await ahead.run('digest', '--month');
  expect(printed).toContain('1 Nov to 22 Nov, each');
  expect(printed).toContain('pi-ledger report --since 2026-11-01 --until 2026-11-23');
  const page = (await ahead.run('digest', '--month', '--html', '-')).printed;
  expect(page).toContain('<bdi>2026-11-23</bdi>');
  const without = (await line.run('digest', '--month', '--html', '-')).printed;
  expect(without).toContain('<bdi>2026-11-22</bdi>');
  expect(without).not.toContain('<bdi>2026-11-23</bdi>');
  const since = await ahead.run('report', '--since', 'today', '--json');
  expect(JSON.parse(since.printed).total.meteredNanoUsd).toBe(String(3 * usd));
});
