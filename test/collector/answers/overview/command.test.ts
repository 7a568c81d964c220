/** `pi-ledger` alone, and `today` to `month`, against `report` of the same days. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { attributed, turn } from '../../projections/support/given.ts';
import { type CommandLine, commandLineOn } from '../../support/command-line.ts';
import { commandLines } from '../../support/command-lines.ts';
import { temporaryDirectory } from '../../support/directory.ts';

afterAll(() => void vi.useRealTimers());

const usd = 1_000_000_000;
const commandLine = commandLines();
let line: CommandLine;

/** It is noon on 2026-11-04, a Wednesday: this week began in October. */
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-04T12:00:00Z') });
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'home'), { mode: 0o700 });
  const budgets = [
    { name: 'near', per: 'month', limit: 10, in: 'metered dollars' },
    { name: 'far', per: 'month', limit: 9_000, in: 'metered dollars' },
  ];
  writeFileSync(join(directory, 'home', 'config.json'), JSON.stringify({ budgets }));
  const billing = { anthropic: 'metered' } as const;
  const spent = (at: string, session: string, project: string, costNanoUsd: number) => [
    attributed(at, { project, billing }, session),
    turn(at, { costNanoUsd }, session),
  ];
  line = await commandLineOn(directory, [
    ...spent('2026-09-10T09:00:00.000Z', 'a', 'old', 64 * usd),
    ...spent('2026-11-01T09:00:00.000Z', 'b', 'shop', 8 * usd),
    ...spent('2026-11-03T09:00:00.000Z', 'c', 'shop', 1 * usd),
    ...spent('2026-11-04T09:00:00.000Z', 'd', 'lab', 512_000_000),
    turn('2026-11-04T09:05:00.000Z', { provider: 'openai', costNanoUsd: 2 * usd }, 'd'),
    ...spent('2026-10-26T09:00:00.000Z', 'e', 'shop', 16 * usd),
    ...spent('2026-11-02T09:00:00.000Z', 'f', 'shop', 4 * usd),
  ]);
});

const run = (...argv: string[]) => line.runOn({ now: () => new Date() }, ...argv);
const json = async (...argv: string[]) => JSON.parse((await run(...argv)).printed);

describe('pi-ledger alone', () => {
  it('answers with the sums of report, to the nano-dollar', async () => {
    const found = await json('--json');
    expect(found).toEqual(await json('overview', '--json'));
    const since = { today: '2026-11-04', week: '2026-11-02', month: '2026-11-01' };
    for (const [name, day] of Object.entries(since)) {
      const { total } = await json('report', '--json', '--since', day);
      expect([name, found[name]]).toEqual([name, total]);
      expect(await json(name, '--json')).toMatchObject({ total });
    }
    const { total } = await json('report', '--json');
    expect(found.allTime).toEqual(total);
    expect((await json('yesterday', '--json')).total).toMatchObject({
      meteredNanoUsd: String(usd),
    });
  });

  it('says where it went, which budget is near, what is open and how to go on', async () => {
    const { code, printed } = await run();
    expect(code).toBe(0);
    expect(printed).toMatch(/^today +\$0\.51\d* +– +\$2\.00/m);
    expect(printed).toMatch(/^this week +\$5\.51/m);
    expect(printed).toMatch(/^this month +\$13\.51/m);
    expect(printed).toMatch(/^all time +\$93\.51/m);
    expect(printed).toMatch(/^shop +\$13\.00/m);
    expect(printed).not.toMatch(/^old /m);
    expect(printed).toMatch(/^near +month/m);
    expect(printed).not.toMatch(/^far /m);
    expect(printed).toContain('how is openai paid, by use or by a plan?: pi-ledger billing');
    expect(printed).toContain('no collector runs; the page needs one: pi-ledger start');
  });

  it('shows all time where this month has nothing', async () => {
    vi.setSystemTime(new Date('2026-12-24T12:00:00Z'));
    const found = await json('--json');
    vi.setSystemTime(new Date('2026-11-04T12:00:00Z'));
    expect(found.projectsOf).toBe('allTime');
    expect(found.projects[0]).toMatchObject({ project: 'old' });
  });

  it('says how to begin where nothing is recorded, and where the page is', async () => {
    const own = commandLine();
    expect((await own.run()).printed).toContain('Nothing is recorded yet');
    const { url } = await own.start();
    const { code, printed } = await own.run();
    expect(printed).toContain(`the page: ${url}/`);
    expect(code).toBe(0);
  });

  it('refuses what it does not know, and starts with the options of start', async () => {
    expect(await run('--nonsense')).toMatchObject({
      code: 2,
      complained: expect.stringContaining("unknown option '--nonsense'"),
    });
    expect(await run('--port', 'x')).toMatchObject({ code: 2 });
    expect(await run('week', '--since', '7d')).toMatchObject({ code: 2 });
  });
});
