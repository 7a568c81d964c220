import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoMonth } from '../../../collector/cli/demo/month.ts';
import { checkHosts } from '../../../collector/cli/doctor/hosts.ts';
import { main } from '../../../collector/cli/main.ts';
import type { Screen } from '../../../collector/cli/output/screen.ts';

const figures = [
  'records',
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'reasoningTokens',
  'meteredNanoUsd',
  'subscriptionNanoUsd',
  'unknownBillingNanoUsd',
  'unpricedRecords',
  'unreportedRecords',
  'unreportedTokensMax',
  'unreportedNanoUsdMax',
  'packageRequests',
  'streamedAnswers',
  'byBilling',
];
const groupings = [
  'project',
  'branch',
  'model',
  'provider',
  'user',
  'machine',
  'host',
  'session',
  'tree',
  'kind',
  'day',
  'week',
  'month',
  'hour',
  'agent-kind',
  'agent',
  'thinking',
  'cost-source',
  'stop-reason',
];

describe('pi-ledger on a demo store', () => {
  const now = new Date('2026-11-20T12:00:00Z');
  let home: string;
  const run = async (...argv: string[]) => {
    const printed: string[] = [];
    const complained: string[] = [];
    const screen: Screen = {
      env: { PI_LEDGER_HOME: home, HOME: home },
      columns: null,
      colour: false,
      now: () => now,
      print: (line) => printed.push(line),
      complain: (line) => complained.push(line),
    };
    return {
      code: await main(argv, screen),
      printed: printed.join('\n'),
      complained: complained.join('\n'),
    };
  };

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'pi-ledger-cli-'));
    expect(
      await run(
        'demo',
        '--data-only',
        join(home, 'ledger.db'),
        '--until',
        '2026-11-20',
        '--days',
        '6',
      ),
    ).toMatchObject({ code: 0 });
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it('has the same total for every grouping, which is the sum of what was recorded', async () => {
    const totals = [];
    for (const by of groupings) {
      const { code, printed } = await run('report', '--by', by, '--json');
      const report = JSON.parse(printed);
      const name = by.replace(/-[a-z]/, (letter) => letter.slice(1).toUpperCase());
      expect([code, report.by, Object.keys(report)]).toEqual([
        0,
        [name],
        ['by', 'rows', 'total', 'leftOut'],
      ]);
      expect(Object.keys(report.rows[0])).toEqual([
        name,
        ...(by === 'tree' ? ['sessions'] : []),
        ...figures,
        ...(by === 'model' ? ['cache'] : []),
        ...(['hour', 'day', 'week', 'month'].includes(by) ? [] : ['lastDay']),
      ]);
      const { cache, ...total } = report.total;
      expect([Object.keys(total), cache !== undefined]).toEqual([figures, by === 'model']);
      totals.push(total);
    }
    const spends = [
      ...demoMonth({ until: new Date('2026-11-20'), days: 6, seed: 20, sessionsPerDay: 4, now }),
    ].flatMap((event) => ('spend' in event.data && event.data.spend ? [event.data.spend] : []));
    const first = totals[0];
    expect(totals.every((total) => JSON.stringify(total) === JSON.stringify(first))).toBe(true);
    expect(first.records).toBe(spends.length);
    expect(BigInt(first.meteredNanoUsd) + BigInt(first.subscriptionNanoUsd)).toBe(
      spends.reduce((sum, spend) => sum + BigInt(spend.costNanoUsd ?? 0), 0n),
    );
  });

  it('groups by several, separated by commas or named one by one', async () => {
    const { printed } = await run('report', '--by', 'user,agent-kind', '--json');
    const report = JSON.parse(printed);
    expect(report.by).toEqual(['user', 'agentKind']);
    expect(Object.keys(report.rows[0]).slice(0, 2)).toEqual(['user', 'agentKind']);
    const other = await run('report', '--by', 'user', '--by', 'agent-kind', '--json');
    expect(JSON.parse(other.printed)).toEqual(report);
    expect(report.total).toEqual(JSON.parse((await run('report', '--json')).printed).total);
    const table = (await run('report', '--by', 'user,agent-kind')).printed;
    expect(table).toMatch(/· by user, agent kind/);
    expect(table).toMatch(/user +agent kind +metered/);
    // A user's kinds stand below the user's sum.
    const [row] = report.rows;
    const own = report.rows.filter(({ user }: { user: string }) => user === row.user);
    expect(own.length).toBeGreaterThan(1);
    const records = own.reduce((sum: number, each: { records: number }) => sum + each.records, 0);
    const lines = table.split('\n').slice(2);
    expect(lines[0]).toMatch(new RegExp(`^${row.user} {3,}.* ${records.toLocaleString('en')} `));
    for (const line of lines.slice(1, 1 + own.length)) expect(line).toMatch(/^ +(main|subagent) /);
  });

  it.each([
    ['user,planet', '--by user,planet: not one of project, branch'],
    ['user,user', 'names user twice'],
    ['user,day,model,host,kind', 'takes at most 4 groupings'],
  ])('refuses to group by %s', async (by, complaint) => {
    const { code, complained } = await run('report', '--by', by);
    expect([code, complained]).toEqual([2, expect.stringContaining(complaint)]);
  });

  it('shows the cost by kind of token by model, and else if wide', async () => {
    const { printed } = await run('report', '--by', 'model', '--wide');
    expect(printed).toMatch(
      /cost of +input +output +cache read +cache write +other +reads saved +writes cost more/,
    );
    expect(printed).toMatch(/metered +\$[\d.,]+ .*~ \$[\d.,]+ +~ \$[\d.,]+/);
    expect(printed).toMatch(/subscription +\$[\d.,]+ .*~ \$/);
    expect(printed).toContain('estimated: the cache against the average price of input');
    expect((await run('report', '--by', 'user', '--wide')).printed).toMatch(/cost of +input/);
    expect((await run('report', '--by', 'user')).printed).not.toContain('cost of');
  });

  it('narrows by the new things too', async () => {
    const records = async (...argv: string[]) =>
      JSON.parse((await run('report', '--json', ...argv)).printed).total.records;
    const [all, main] = [await records(), await records('--agent-kind', 'main')];
    expect(main).toBeGreaterThan(0);
    expect(main + (await records('--agent-kind', 'subagent'))).toBe(all);
    expect(await records('--cost-source', 'unpriced')).toBeGreaterThan(0);
    expect(await records('--stop-reason', 'nobody', '--thinking', 'nobody')).toBe(0);
  });

  it('prints CSV with a heading and a line per row', async () => {
    const { printed } = await run('report', '--by', 'project', '--csv');
    const header = printed.split(/\r?\n/)[0]?.split(',') ?? [];
    expect(header.filter((name) => name === 'project' || figures.includes(name))).toEqual([
      'project',
      ...figures.filter((name) => name !== 'byBilling'),
    ]);
    expect(header).toContain('meteredUsd');
    expect(printed.split(/\r?\n/)).toHaveLength(6);
  });

  it('says n/a for what has no price, and how many records that leaves out', async () => {
    const { printed } = await run('report', '--by', 'model');
    expect(printed).toMatch(/demo-local-30b .*n\/a/);
    expect(printed).toMatch(/≥ {2}\d+ records have no price/);
  });

  it('knows the net of every compaction that a priced model answered after', async () => {
    const { printed } = await run('compactions', '--json');
    const rows: { kind: string; model: string | null; turnsAfter: number; netNanoUsd: string }[] =
      JSON.parse(printed).rows;
    const priced = rows.filter(
      ({ kind, model, turnsAfter }) =>
        kind === 'compaction' && model !== 'demo-local-30b' && turnsAfter > 0,
    );
    expect(priced.length).toBeGreaterThan(5);
    expect(priced.filter(({ netNanoUsd }) => netNanoUsd === null)).toEqual([]);
  });

  it('counts what subagents spent once', async () => {
    const kinds = JSON.parse((await run('report', '--by', 'kind', '--json')).printed).rows;
    expect(kinds.map(({ kind }: { kind: string }) => kind)).not.toContain('tool');
    const { rows } = JSON.parse((await run('sessions', '--json')).printed);
    const relations = rows.map(({ relation }: { relation: string | null }) => relation);
    expect(relations).toContain('subagent');
  });

  it('names those that exist for a filter of a name that was never seen', async () => {
    for (const command of ['report', 'sessions', 'compactions'])
      expect(await run(command, '--model', 'no-such-model')).toEqual({
        code: 2,
        printed: '',
        complained:
          'error: --model: no-such-model was never seen. ' +
          'Models: demo-deep, demo-fast, demo-large, demo-local-30b',
      });
  });

  it.each([
    ['--thinking', 'hihg', /^error: --thinking: hihg was never seen\. Thinking levels: .*high/],
    ['--cost-source', 'no', /^error: --cost-source: no was never seen\. Sources of costs: /],
    ['--label', 'team=no', /^error: --label: team=no was never seen\. Values of team: /],
  ])('does so for %s %s', async (flag, name, complaint) => {
    const { code, complained } = await run('report', flag, name);
    expect(code).toBe(2);
    expect(complained).toMatch(complaint);
  });

  it('says so where one of several names is known, and to programs', async () => {
    const note = '--model: no-such was never seen. Models: ';
    const both = ['--model', 'demo-fast', 'no-such'];
    for (const command of ['report', 'sessions', 'models', 'digest', 'insights', 'compactions'])
      expect((await run(command, ...both)).printed, command).toContain(note);
    for (const command of ['report', 'sessions', 'models', 'compactions']) {
      const { notes } = JSON.parse((await run(command, ...both, '--json')).printed);
      expect(notes, command).toEqual([expect.stringContaining(note)]);
      expect((await run(command, ...both, '--csv')).complained, command).toContain(note);
    }
  });

  it('distinguishes an empty period from a filter that nothing fits', async () => {
    expect((await run('report', '--until', '2020-01-01')).printed).toMatch(
      /\nNothing in this period; the newest session is of 20 Nov\.$/,
    );
    const both = ['--provider', 'demo-local', '--model', 'demo-large'];
    expect((await run('sessions', ...both)).printed).toMatch(
      /\nNothing fits: model demo-large with provider demo-local\.$/,
    );
  });

  it('suggests the command that was meant', async () => {
    expect(await run('reprot')).toEqual({
      code: 2,
      printed: '',
      complained: "error: unknown command 'reprot' (did you mean report?)",
    });
    expect((await run('xyzzy')).complained).toBe(
      "error: unknown command 'xyzzy' (pi-ledger help lists all)",
    );
    expect((await run('report', '--jsn')).complained).toBe(
      "error: unknown option '--jsn' (did you mean --json?)",
    );
    expect((await run('report', '--by', 'projct')).complained).toMatch(
      /^error: --by projct: did you mean project\? It takes project, branch/,
    );
  });

  it.each([
    [['report', '--since', '2026-11-10', '--until', '2026-11-01'], 'is after --until 2026-11-01'],
    [['report', '--by', 'planet'], 'error: --by planet: not one of project, branch, model'],
    [['report', '--since', 'soon'], '--since'],
    [['sessions', '--limit', '0'], '--limit'],
    [['rejected', 'retry', 'x'], 'id'],
    [['demo', '--days', '0'], '--days'],
    [['nonsense'], 'nonsense'],
  ])('calls %j a usage error, names it and exits with 2', async (argv, named) => {
    const { code, complained } = await run(...argv);
    expect(code).toBe(2);
    expect(complained).toContain(named);
  });

  it('says which rejected events to retry do not exist', async () => {
    expect(await run('rejected', 'retry')).toMatchObject({
      code: 0,
      printed: '0 accepted, 0 already known, 0 rejected again.',
    });
    const printed = '0 accepted, 0 already known, 0 rejected again, 1 not in the list.';
    expect(await run('rejected', 'retry', '99')).toMatchObject({ code: 1, printed });
  });

  it('removes rejected events only when told which, or that all are meant', async () => {
    for (const argv of [[], ['1', '--all']])
      expect(await run('rejected', 'remove', ...argv)).toMatchObject({
        code: 2,
        complained: expect.stringContaining('--all'),
      });
    const printed = '0 removed, 1 not in the list.';
    expect(await run('rejected', 'remove', '99')).toMatchObject({ code: 1, printed });
    expect(await run('rejected', 'remove', '--all')).toMatchObject({ code: 0 });
  });

  it('never writes a demo into an existing store', async () => {
    expect(await run('demo', '--data-only', join(home, 'ledger.db'))).toMatchObject({ code: 2 });
  });

  it('rebuilds each projection without a change, and exits with 1 for an unknown one', async () => {
    const before = await run('report', '--json');
    expect((await run('rebuild', 'nonsense')).code).toBe(1);
    expect((await run('rebuild', 'sessions')).code).toBe(0);
    expect(await run('report', '--json')).toEqual(before);
  });

  it('exits with 1 from doctor only if the extension is missing in a host in use', async () => {
    expect(await run('doctor')).toMatchObject({
      code: 0,
      printed: expect.stringContaining('not used by this user'),
    });
  });

  it('looks for the extension where variables move the hosts', () => {
    const moved = join(home, 'moved');
    mkdirSync(moved, { recursive: true });
    mkdirSync(join(home, '.other'), { recursive: true });
    const states = (env: Record<string, string>) =>
      checkHosts({ HOME: home, ...env }).map(({ state }) => state);
    expect(states({})).toEqual(['note', 'note']);
    const both = states({ PI_CODING_AGENT_DIR: moved, PI_CONFIG_DIR: '.other' });
    expect(both).toEqual(['bad', 'bad', 'note']);
    const packages = (...sources: string[]) => {
      writeFileSync(join(moved, 'settings.json'), JSON.stringify({ packages: sources }));
      return states({ PI_CODING_AGENT_DIR: '~/moved' });
    };
    expect(packages('npm:@pi-ledger/extension@0.1.0')).toEqual(['good', 'note']);
    expect(packages('git:git.example/acme/pi-ledger')).toEqual(['good', 'note']);
    expect(packages('npm:pi-ledger')).toEqual(['bad', 'note', 'note']);
  });
});
