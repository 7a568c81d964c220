/**
 * The collector imports by itself: what is there at its first run, and what comes to rest later.
 */
import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { type Collector, startCollector } from '../../../collector/main.ts';
import { answer, append, newSession, userSays } from '../../extension/support/fake-session.ts';
import { eventually } from '../../support/eventually.ts';
import { writeSession } from '../importers/support/files.ts';
import { temporaryDirectory } from '../support/directory.ts';

const root = temporaryDirectory();
const startMs = Date.parse('2026-11-20T09:00:00.000Z');
let collector: Collector | null = null;

afterEach(async () => {
  await collector?.stop();
  collector = null;
});

/** A home directory in which pi has left one session. */
function machine(): { readonly home: string; readonly sessions: string } {
  const home = mkdtempSync(join(root, 'home-'));
  const sessions = join(home, '.pi', 'agent', 'sessions', '--srv-shop--');
  mkdirSync(sessions, { recursive: true });
  return { home, sessions };
}

function leaveSession(sessions: string, id: string, changed: Date): void {
  const session = newSession(id, startMs);
  append(session, 'u', startMs + 1, userSays());
  append(session, 'a', startMs + 2, answer(`r-${id}`));
  utimesSync(writeSession(sessions, session), changed, changed);
}

async function start(
  home: string,
  environment: Record<string, string> = {},
): Promise<{ lines: string[]; url: string }> {
  const lines: string[] = [];
  const config = loadCollectorConfig({
    PI_LEDGER_HOME: join(home, 'ledger'),
    PI_LEDGER_PORT: '0',
    ...environment,
  });
  collector = await startCollector(config, {
    logStream: null,
    sessions: { environment: { HOME: home }, print: (line) => lines.push(line) },
  });
  return { lines, url: collector.url };
}

async function sessionsAt(url: string): Promise<readonly string[]> {
  const { rows } = (await (await fetch(`${url}/v1/usage?by=session&limit=1000`)).json()) as {
    rows: readonly { session: string }[];
  };
  return rows.map(({ session }) => session).sort();
}

const rested = new Date(Date.now() - 60_000);

describe('a collector that starts', () => {
  it('imports in the background what hosts have left, and says so', async () => {
    const { home, sessions } = machine();
    leaveSession(sessions, 'old', rested);
    leaveSession(sessions, 'busy', new Date());
    const { lines, url } = await start(home);
    await eventually(() => expect(lines.length).toBe(3));
    expect(lines[0]).toMatch(/^Importing 1 session file .*reports work meanwhile/);
    expect(lines[1]).toMatch(/^Imported: 1 file, \d new events, 0 already known\.$/);
    expect(lines[2]).toMatch(
      /^1 session file still changing: imported once unchanged for 30 seconds\.$/,
    );
    await expect.poll(() => sessionsAt(url)).toEqual(['old']);
  });

  it('imports texts of summaries, redacted, where config.json asks for them', async () => {
    const { home, sessions } = machine();
    const session = newSession('old', startMs);
    append(session, 'c', startMs + 1, {
      type: 'compaction',
      summary: 'password=hunter2',
      firstKeptEntryId: 'u',
      tokensBefore: 900,
    });
    utimesSync(writeSession(sessions, session), rested, rested);
    mkdirSync(join(home, 'ledger'));
    writeFileSync(join(home, 'ledger', 'config.json'), '{ "auditContent": true }');
    const { lines, url } = await start(home);
    await eventually(() => expect(lines.length).toBe(2));
    const log = await (await fetch(`${url}/v1/log?format=ndjson`)).text();
    expect(log).toContain(
      '"summaryText":{"text":"password=[redacted]","truncated":false,"redactions":1}',
    );
    expect(log).not.toContain('hunter2');
  });

  it('says nothing when nothing is new', async () => {
    const { home, sessions } = machine();
    leaveSession(sessions, 'old', rested);
    const first = await start(home);
    await eventually(() => expect(first.lines.length).toBe(2));
    await collector?.stop();
    const { lines, url } = await start(home);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(lines).toEqual([]);
    await expect.poll(() => sessionsAt(url)).toEqual(['old']);
  });

  it('imports nothing when told not to', async () => {
    const { home, sessions } = machine();
    leaveSession(sessions, 'old', rested);
    const { lines, url } = await start(home, { PI_LEDGER_IMPORT: '0' });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(lines).toEqual([]);
    expect(await sessionsAt(url)).toEqual([]);
  });

  it('stops in the middle of an import', async () => {
    const { home, sessions } = machine();
    for (let index = 0; index < 200; index += 1) leaveSession(sessions, `s${index}`, rested);
    const { lines } = await start(home);
    await eventually(() => expect(lines.length).toBeGreaterThan(0), { intervalMs: 5 });
    expect(await collector?.stop()).toBe(true);
    const again = await start(home);
    await eventually(async () => expect((await sessionsAt(again.url)).length).toBe(200), {
      intervalMs: 200,
    });
  });
});
