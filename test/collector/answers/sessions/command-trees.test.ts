import { beforeAll, describe, expect, it } from 'vitest';
import { type CommandLine, commandLineOn } from '../../support/command-line.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { exampleEvent } from '../../support/events.ts';
import { memberEvents } from '../../support/family.ts';

const directory = temporaryDirectory();
let ledger: CommandLine;

beforeAll(async () => {
  const copy = { copySessionId: 'fork', entries: 21, spendEntries: 1, ownerAssumed: false };
  ledger = await commandLineOn(directory, [
    ...memberEvents({ id: 'root', nanoUsd: 1_000_000_000 }),
    ...memberEvents({
      id: 'fork',
      parent: 'root',
      nanoUsd: 2_000_000_000,
      at: '2026-11-21T08:00:00.000Z',
    }),
    ...memberEvents({
      id: 'sub',
      parent: 'fork',
      agent: 'subagent',
      agentName: 'Explore',
      nanoUsd: 3_000_000_000,
      at: '2026-11-22T08:00:00.000Z',
    }),
    ...memberEvents({ id: 'alone', nanoUsd: 500_000_000, at: '2026-11-19T08:00:00.000Z' }),
    exampleEvent({
      number: 1,
      type: 'pi.session.copied.v1',
      subject: 'root',
      sequence: 0,
      time: '2026-11-20T08:00:00.000Z',
      data: copy,
    }),
  ]);
});

describe('pi-ledger sessions show', () => {
  it('says what a session spent itself and with its subagents, without its forks', async () => {
    const amounts = async (id: string) =>
      (await ledger.run('sessions', 'show', id)).printed
        .split('\n')
        .flatMap((line) => /^(in all|itself|with .*?) +(\$[\d.]+)/.exec(line)?.slice(1) ?? []);
    expect(await amounts('fork')).toEqual(['itself', '$2.00', 'with 1 subagent', '$5.00']);
    expect(await amounts('root')).toEqual(['in all', '$1.00']);
  });
});

describe('pi-ledger sessions --tree', () => {
  it('draws the trees of the newest sessions, with the subtotal at the root', async () => {
    const { code, printed } = await ledger.run('sessions', '--tree', '--limit', '1');
    expect(code).toBe(0);
    const lines = printed.split('\n');
    expect(lines[0]).toMatch(/all projects · the newest 1 of 4$/);
    expect(lines[1]).toMatch(
      /^session +relation +project +metered +subscription +tokens .*last seen /,
    );
    const amount = (line: string) => /\$[\d.]+/.exec(line)?.[0];
    expect(lines.slice(2, 6).map((line) => [line.slice(0, 18).trimEnd(), amount(line)])).toEqual([
      ['root, 3 sessions', '$6.00'],
      ['├─ itself', '$1.00'],
      ['└─ fork', '$2.00'],
      ['   └─ sub', '$3.00'],
    ]);
    expect(lines).toContain('   there are more: --limit');
    expect(printed).toContain('subagent Explore');
    expect(printed).not.toContain('alone');
  });

  it('is JSON with every tree’s total and sessions', async () => {
    const { trees } = JSON.parse((await ledger.run('sessions', '--tree', '--json')).printed);
    expect(trees).toMatchObject([
      {
        rootSessionId: 'root',
        total: { records: 3, meteredNanoUsd: '6000000000' },
        sessions: [{ id: 'root' }, { id: 'fork' }, { id: 'sub' }],
      },
      {
        rootSessionId: 'alone',
        total: { records: 1 },
        sessions: [{ id: 'alone', relation: null }],
      },
    ]);
  });

  it('has no CSV, and says what to use instead', async () => {
    expect(await ledger.run('sessions', '--tree', '--csv')).toMatchObject({
      code: 2,
      complained: expect.stringContaining('rootSessionId'),
    });
  });
});

describe('pi-ledger sessions', () => {
  it('says where copies of a session are, and that they are counted once', async () => {
    const { printed } = await ledger.run('sessions');
    expect(printed).toContain(
      '21 entries of root (1 with spend) also appear in fork; counted once, in root',
    );
  });
});

describe('pi-ledger sessions --timezone', () => {
  it('has days and times in that zone', async () => {
    const rows = async (...more: string[]) =>
      JSON.parse((await ledger.run('sessions', '--json', ...more)).printed).rows;
    expect(await rows('--since', '2026-11-22', '--timezone', 'UTC')).toMatchObject([{ id: 'sub' }]);
    expect(await rows('--since', '2026-11-22', '--timezone', 'Pacific/Honolulu')).toEqual([]);
    expect((await ledger.run('sessions', '--timezone', 'Pacific/Honolulu')).printed).toContain(
      '2026-11-21 22:00',
    );
    expect((await ledger.run('sessions', '--tree', '--timezone', 'Asia/Tokyo')).printed).toContain(
      '2026-11-22 17:00',
    );
  });

  it('calls an unknown zone a usage error', async () => {
    expect(await ledger.run('sessions', '--timezone', 'Mars/Olympus')).toMatchObject({
      code: 2,
      complained: expect.stringContaining('--timezone'),
    });
  });
});

describe('pi-ledger report', () => {
  it('sums trees to their roots', async () => {
    const { printed } = await ledger.run('report', '--by', 'tree');
    const lines = printed.split('\n').map((line) => line.split(/ {2,}/));
    const at = ['tree', 'sessions', 'records'].map((title) => lines[1]?.indexOf(title) ?? -1);
    const cells = (line: readonly string[] | undefined) => at.map((index) => line?.[index]);
    expect(lines.slice(2, 4).map(cells)).toEqual([
      ['root', '3', '3'],
      ['alone', '1', '1'],
    ]);
    expect(cells(lines.at(5))).toEqual(['total', '4', '4']);
  });

  it('has days in one time zone, "today" included', async () => {
    // 08:00 in UTC is 22:00 of the day before in Honolulu. Noon of the 22nd in UTC is the 23rd in
    // Kiritimati.
    const days = async (...more: string[]) => {
      const { rows } = JSON.parse(
        (await ledger.run('report', '--by', 'day', '--json', ...more)).printed,
      );
      return rows.map((row: { day: string }) => row.day);
    };
    expect(await days('--timezone', 'Pacific/Honolulu')).toEqual([
      '2026-11-18',
      '2026-11-19',
      '2026-11-20',
      '2026-11-21',
    ]);
    expect(await days('--timezone', 'Pacific/Honolulu', '--since', 'yesterday')).toEqual([
      '2026-11-21',
    ]);
    expect(await days('--timezone', 'Pacific/Kiritimati', '--since', 'yesterday')).toEqual([
      '2026-11-22',
    ]);
  });

  it('has hours in the zone that was named, and in the reader’s without one', async () => {
    const hours = async (...more: string[]) => {
      const { printed } = await ledger.run('report', '--by', 'hour', ...more);
      return printed.split('\n').flatMap((line) => /^\d{4}-[^\s,]+(?: \d\S+)?/.exec(line) ?? []);
    };
    const own = new Date('2026-11-22T08:00:00Z').toLocaleString('sv').slice(0, 16);
    expect(await hours()).toContain(own);
    expect(await hours('--timezone', 'Europe/Berlin')).toEqual([
      '2026-11-19 09:00',
      '2026-11-20 09:00',
      '2026-11-21 09:00',
      '2026-11-22 09:00',
    ]);
    expect(await hours('--timezone', 'Asia/Kolkata')).toContain('2026-11-22 13:30');
    expect(await hours('--timezone', 'Europe/Berlin', '--csv')).toContain('2026-11-22T08:00:00Z');
  });

  it('calls an unknown time zone a usage error', async () => {
    expect(await ledger.run('report', '--timezone', 'Mars/Olympus')).toMatchObject({
      code: 2,
      complained: expect.stringContaining('--timezone'),
    });
  });
});
