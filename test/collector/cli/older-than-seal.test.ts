/** What is older than the seal and arrives after it: told with a number, each time, with exit 1. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../../collector/cli/main.ts';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { startCollector } from '../../../collector/main.ts';
import { temporaryDirectory } from '../support/directory.ts';

const directory = temporaryDirectory();

/** A home, and a folder of sessions. */
function machine() {
  const home = mkdtempSync(join(directory, 'home-'));
  const sessions = mkdtempSync(join(directory, 'sessions-'));
  async function run(...argv: readonly string[]) {
    const printed: string[] = [];
    const lines: string[] = [];
    const code = await main([...argv], {
      ...{ env: { PI_LEDGER_HOME: home, HOME: home }, columns: 200, colour: false },
      now: () => new Date('2026-11-20T12:00:00Z'),
      print: (line) => {
        printed.push(String(line));
        lines.push(String(line));
      },
      complain: (line) => lines.push(String(line)),
    });
    return { code, printed: printed.join('\n'), text: lines.join('\n') };
  }
  return {
    home,
    sessions,
    run,
    imports: () => run('import', '--pi', sessions),
    reconciles: () => run('reconcile', '--pi', sessions),
    /** A session with an answer at each of these times. */
    write: (id: string, ...times: readonly string[]) =>
      writeLines(join(sessions, `${id}.jsonl`), [
        { type: 'session', version: 3, id, timestamp: times[0], cwd: '/p' },
        ...times.map((time, index) => answer(`${id}-${index}`, time)),
      ]),
  };
}

function answer(id: string, timestamp: string): object {
  const cost = { total: 0.001 };
  const usage = { input: 9, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 10, cost };
  const message = { role: 'assistant', content: [], provider: 'p', model: 'm', usage };
  return {
    type: 'message',
    id,
    parentId: null,
    timestamp,
    message: { ...message, responseId: id, timestamp: Date.parse(timestamp) },
  };
}

function writeLines(path: string, lines: readonly object[]): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
}

const [day1, day2, day3, later] = [1, 2, 3, 15].map(
  (day) => `2026-11-${String(day).padStart(2, '0')}T09:00:00.000Z`,
) as [string, string, string, string];

/** Has a session of before the seal and one of after it. */
async function sealed() {
  const ledger = machine();
  ledger.write('known', day1, day2);
  ledger.write('later', later);
  expect((await ledger.imports()).code).toBe(0);
  expect((await ledger.run('seal', '--before', '2026-11-10')).code).toBe(0);
  return ledger;
}

const told = '3 events of 1 session are older than the seal and in no total';

describe('a session older than the seal that arrives after it', () => {
  it('is in no total, says every import, report, doctor and reconcile', async () => {
    const ledger = await sealed();
    ledger.write('old', day3);
    const first = await ledger.imports();
    expect(first).toMatchObject({ code: 1, text: expect.stringContaining(told) });
    const again = await ledger.imports();
    expect(again.code).toBe(1);
    expect(again.text).toContain('old.jsonl: 3 events are older than the seal (2026-11-10)');
    const note = '1 line in 1 session file could not be counted and may hold spend';
    expect((await ledger.run('report')).text).toContain(note);
    expect((await ledger.run('doctor')).text.replaceAll(/\s+/g, ' ')).toContain(note);
    expect(await ledger.reconciles()).toMatchObject({
      code: 1,
      text: expect.stringContaining('older_than_seal'),
    });
  });

  it('is told by a running collector', async () => {
    const ledger = await sealed();
    const config = { ...loadCollectorConfig({ PI_LEDGER_HOME: ledger.home }), port: 0 };
    const collector = await startCollector({ ...config, import: false }, { logStream: null });
    try {
      ledger.write('old', day3);
      expect(await ledger.imports()).toMatchObject({
        code: 1,
        text: expect.stringContaining(told),
      });
    } finally {
      await collector.stop();
    }
  });

  it('counts in a ledger of its own', async () => {
    const ledger = await sealed();
    ledger.write('old', day3);
    const other = machine();
    expect((await other.run('import', '--pi', ledger.sessions)).code).toBe(0);
    expect((await other.run('reconcile', '--pi', ledger.sessions)).code).toBe(0);
  });

  it('is told by `import-events`', async () => {
    const ledger = await sealed();
    const other = machine();
    other.write('old', day3);
    await other.imports();
    const file = join(other.home, 'events.ndjson');
    writeFileSync(file, (await other.run('export')).printed);
    for (const _ of ['first', 'again'])
      expect(await ledger.run('import-events', file)).toMatchObject({
        code: 1,
        text: expect.stringContaining(told),
      });
    const note = '1 line in 1 session file could not be counted and may hold spend';
    for (const _ of ['first', 'again']) {
      expect(await ledger.imports()).toMatchObject({
        code: 1,
        text: expect.stringContaining(
          'events.ndjson: 3 events of session old came after the seal and are in no total',
        ),
      });
      expect((await ledger.run('report')).text).toContain(note);
      expect((await ledger.run('doctor')).text.replaceAll(/\s+/g, ' ')).toContain(note);
      expect(await ledger.reconciles()).toMatchObject({
        code: 1,
        text: expect.stringContaining('older_than_seal'),
      });
    }
    ledger.write('old', day3);
    await ledger.imports();
    expect((await ledger.run('report')).text).toContain(note);
  });
});

describe('a session that was sealed', () => {
  const has = 'are older than the seal: the totals have them already.';

  it('is in the totals when its file is read again, or its events are sent again', async () => {
    const ledger = machine();
    ledger.write('known', day1, day2);
    ledger.write('later', later);
    await ledger.imports();
    const file = join(ledger.home, 'events.ndjson');
    writeFileSync(file, (await ledger.run('export')).printed);
    await ledger.run('seal', '--before', '2026-11-10');
    ledger.write('known', day1, day2, later);
    for (const told of [await ledger.imports(), await ledger.run('import-events', file)])
      expect(told).toMatchObject({ code: 0, text: expect.not.stringContaining('in no total') });
    expect((await ledger.run('import-events', file)).text).toContain(has);
    expect((await ledger.reconciles()).code).toBe(0);
  });

  it('and grew by older entries is in the totals without these', async () => {
    const ledger = await sealed();
    ledger.write('known', day1, day2, day3);
    const { code, text } = await ledger.imports();
    expect(text).toContain('1 event of 1 session is older than the seal and in no total');
    expect(code).toBe(1);
    const { code: compared, text: said } = await ledger.reconciles();
    expect(compared).toBe(1);
    expect(said).toContain('older_than_seal');
  });
});
