/** `pi-ledger import`, on the store itself and through a running collector. */
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../../collector/cli/main.ts';
import type { Screen } from '../../../collector/cli/output/screen.ts';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { startCollector } from '../../../collector/main.ts';
import { writeLines } from '../importers/support/files.ts';
import { recordedSessions } from '../importers/support/imports.ts';
import { temporaryDirectory } from '../support/directory.ts';

const root = temporaryDirectory();
const recorded = [
  '--pi',
  join(recordedSessions, 'pi15'),
  '--pi',
  join(recordedSessions, 'pi073'),
  '--omp',
  join(recordedSessions, 'omp18'),
];

function machine() {
  const home = mkdtempSync(join(root, 'home-'));
  const run = async (...argv: string[]) => {
    const printed: string[] = [];
    const complained: string[] = [];
    const screen: Screen = {
      env: { PI_LEDGER_HOME: join(home, 'ledger'), HOME: home },
      columns: null,
      colour: false,
      now: () => new Date(),
      print: (line) => printed.push(line),
      complain: (line) => complained.push(line),
    };
    return {
      code: await main(argv, screen),
      printed: printed.join('\n'),
      complained: complained.join('\n'),
    };
  };
  return {
    home,
    run,
    total: async () => JSON.parse((await run('report', '--json')).printed).total,
  };
}

describe('pi-ledger import', () => {
  it('imports sessions once', async () => {
    const { run, total } = machine();
    const first = await run('import', ...recorded);
    expect(first).toMatchObject({ code: 0, complained: '' });
    expect(first.printed).toMatch(
      /^pi {4}(\d+) of \1 files new or changed\nomp {3}(\d+) of \2 files new or changed\n/,
    );
    expect(first.printed).toMatch(/ read, 0 unchanged {3}[\d.]+ MB {3}[\d.]+ s/);
    expect(first.printed).toMatch(
      /\n\d+ new records in \d+ sessions: billing unknown (≥ )?\$[\d.]+.*\nnext: /,
    );
    const before = await total();
    expect(before.records).toBeGreaterThan(50);
    expect((await run('import', ...recorded)).printed).toMatch(
      /\n0 files read, \d+ unchanged .*\nnothing new$/,
    );
    expect(await total()).toEqual(before);
  });

  it('shows in a dry run what it would import, and writes nothing', async () => {
    const { home, run } = machine();
    const dry = await run('import', ...recorded, '--dry-run', '--json');
    expect(existsSync(join(home, 'ledger'))).toBe(false);
    const { would, events } = JSON.parse(dry.printed);
    await run('import', ...recorded);
    const { total } = JSON.parse((await run('report', '--json')).printed);
    expect(would).toMatchObject({
      records: expect.any(Number),
      ...{ meteredNanoUsd: '0', subscriptionNanoUsd: '0' },
      unknownBillingNanoUsd: expect.stringMatching(/^[1-9]\d+$/),
    });
    expect(BigInt(would.unknownBillingNanoUsd)).toBeLessThanOrEqual(
      BigInt(total.unknownBillingNanoUsd),
    );
    expect(events.new).toBeGreaterThan(100);
    expect(
      JSON.parse((await run('import', ...recorded, '--dry-run', '--json')).printed).would,
    ).toMatchObject({ records: 0 });
  });

  it('keeps kinds of billing apart in a dry run, as the report does afterwards', async () => {
    const { home, run, total } = machine();
    const directory = join(home, 'billed');
    writeLines(join(directory, 'billed.jsonl'), [
      '{"type":"session","version":3,"id":"s","timestamp":"2026-11-20T09:00:00.000Z","cwd":"/x"}',
      answerOf('anthropic', 'a1', 0.5),
      answerOf('openai', 'a2', 0.25),
      answerOf('groq', 'a3', 0.125),
    ]);
    mkdirSync(join(home, 'ledger'));
    writeFileSync(
      join(home, 'ledger', 'config.json'),
      JSON.stringify({ billing: { anthropic: 'metered', openai: 'subscription' } }),
    );
    const dry = await run('import', '--pi', directory, '--dry-run');
    expect(dry.printed).toContain(
      '3 records of spend, metered $0.5000, subscription $0.2500, billing unknown $0.1250.',
    );
    const { would } = JSON.parse(
      (await run('import', '--pi', directory, '--dry-run', '--json')).printed,
    );
    await run('import', '--pi', directory);
    const { meteredNanoUsd, subscriptionNanoUsd, unknownBillingNanoUsd } = await total();
    expect(would).toEqual({
      ...{ sessions: 1, records: 3, unpricedRecords: 0 },
      ...{ meteredNanoUsd, subscriptionNanoUsd, unknownBillingNanoUsd },
    });
  });

  it('marks each kind of billing by its own records without a price', async () => {
    const { home, run } = machine();
    const directory = join(home, 'billed');
    writeLines(join(directory, 'billed.jsonl'), [
      '{"type":"session","version":3,"id":"s","timestamp":"2026-11-20T09:00:00.000Z","cwd":"/x"}',
      answerOf('anthropic', 'a1', 0),
      answerOf('openai', 'a2', 0.25),
    ]);
    mkdirSync(join(home, 'ledger'));
    writeFileSync(
      join(home, 'ledger', 'config.json'),
      JSON.stringify({ billing: { anthropic: 'metered', openai: 'subscription' } }),
    );
    const amounts = 'metered n/a, subscription $0.2500';
    expect((await run('import', '--pi', directory, '--dry-run')).printed).toContain(amounts);
    expect((await run('import', '--pi', directory)).printed).toContain(`: ${amounts}\n`);
  });

  it('imports through a running collector into its store', async () => {
    const { home, run, total } = machine();
    const config = loadCollectorConfig({
      PI_LEDGER_HOME: join(home, 'ledger'),
      PI_LEDGER_PORT: '0',
    });
    const collector = await startCollector(config, { logStream: null });
    try {
      expect(await run('import', ...recorded)).toMatchObject({ code: 0 });
      expect((await run('import', ...recorded)).printed).toMatch(/\nnothing new$/);
      expect((await total()).records).toBeGreaterThan(50);
    } finally {
      await collector.stop();
    }
    expect((await run('import', ...recorded)).printed).toMatch(/\nnothing new$/);
  });

  it('counts one thing as one', async () => {
    const { home, run } = machine();
    const directory = join(home, 'one');
    writeLines(join(directory, 'one.jsonl'), [
      '{"type":"session","version":3,"id":"s","timestamp":"2026-11-20T09:00:00.000Z","cwd":"/x"}',
    ]);
    const dry = await run('import', '--pi', directory, '--dry-run');
    expect(dry.printed).toMatch(
      /read, .*\nNothing was written\. An import would add 2 events of 1 session: 0 records/,
    );
    expect((await run('import', '--pi', directory)).printed).toMatch(
      /^pi .*\n1 file read, 0 .*\n0 new records in 1 session: no amounts\nnext: pi-ledger report$/,
    );
  });

  it('says how many events are older than the seal', async () => {
    const { run } = machine();
    const today = new Date().toISOString().slice(0, 10);
    expect((await run('seal', '--before', today)).printed).toBe(
      `There is nothing from before ${today} to delete.`,
    );
    const { code, printed } = await run('import', ...recorded);
    expect(printed).toMatch(
      /\nnothing new\n[1-9][\d,]* events of [1-9]\d* sessions are older than the seal and in no/,
    );
    expect(code).toBe(1);
  });

  it('lists unreadable lines every time, and exits with 1 if they may contain spend', async () => {
    const { home, run } = machine();
    const directory = join(home, 'sessions');
    const bad = writeLines(join(directory, 'bad.jsonl'), [
      '{"type":"session","version":3,"id":"s","timestamp":"2026-11-20T09:00:00.000Z"}',
      'oops',
    ]);
    const mixed = await run('import', '--pi', directory);
    expect(mixed).toMatchObject({
      code: 1,
      complained: expect.stringContaining(`${bad}:2: expected one JSON object`),
    });
    expect(await run('import', '--pi', directory)).toMatchObject({
      code: 1,
      complained: mixed.complained,
    });
  });

  it('exits with 1 for a file that may hold spend, and with 2 for a usage error', async () => {
    const { home, run } = machine();
    expect(await run('import', '--pi', join(home, 'nowhere'))).toMatchObject({
      code: 1,
      complained: expect.stringContaining('nowhere'),
    });
    writeLines(join(home, 'other', 'numbers.jsonl'), ['1', '2']);
    expect(await run('import', '--pi', join(home, 'other'))).toMatchObject({ code: 0 });
    const good = '{"type":"session","version":3,"id":"s","timestamp":"2026-11-20T09:00:00.000Z"}';
    writeLines(join(home, 'other', 'good.jsonl'), [good]);
    for (const _ of ['read', 'known'])
      expect(await run('import', '--pi', join(home, 'other'))).toMatchObject({
        code: 0,
        printed: expect.stringContaining('1 file could not be read.'),
      });
    writeLines(join(home, 'other', 'spend.jsonl'), ['{"usage":{"input":1}}']);
    expect(await run('import', '--pi', join(home, 'other'))).toMatchObject({ code: 1 });
    expect(await run('import', '--claude', home)).toMatchObject({ code: 2 });
  });

  it('succeeds without files on a machine without hosts', async () => {
    expect(await machine().run('import')).toMatchObject({
      code: 0,
      printed: expect.stringContaining('No session files in '),
    });
  });
});

function answerOf(provider: string, id: string, usd: number): string {
  const cost = { input: usd, output: 0, cacheRead: 0, cacheWrite: 0, total: usd };
  const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 15, cost };
  const timestamp = '2026-11-20T09:00:01.000Z';
  const content = [{ type: 'text', text: 'x' }];
  const message = { role: 'assistant', provider, model: 'm', content, usage, stopReason: 'stop' };
  return JSON.stringify({ type: 'message', id, parentId: null, timestamp, message });
}
