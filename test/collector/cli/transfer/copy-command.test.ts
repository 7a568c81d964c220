import { symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../../../collector/config/config.ts';
import { openLedger } from '../../../../collector/main.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { newHome, reportsOf, work } from './homes.ts';

const directory = temporaryDirectory();
let files = 0;

function newFile(): string {
  files += 1;
  return `sqlite:${join(directory, `${files}.db`)}`;
}

describe('pi-ledger copy', () => {
  it('moves a ledger that then gives the same reports, and says what it compared', async () => {
    const [file, other] = [newFile(), newFile()];
    const [home, moved] = [newHome(directory, file), newHome(directory, other)];
    const events = await work(home);
    const { code, printed } = await home.run('copy', '--to', other);
    expect(code).toBe(0);
    const figures = [
      ...printed.matchAll(/^(?:source|target) {2}([\d,]+) events, SHA-256 ([0-9a-f]{64})$/gm),
    ].map(([, ...each]) => each);
    expect(figures).toEqual([figures[0], figures[0]]);
    expect(Number(figures[0]?.[0]?.replaceAll(',', ''))).toBe(events);
    expect(await reportsOf(moved)).toEqual(await reportsOf(home));
    const again = await moved.run('copy', '--from', file, '--json');
    expect(again.code).toBe(0);
    expect(JSON.parse(again.printed)).toMatchObject({
      is: 'copied',
      eventsBefore: events,
      deadLetters: { added: 0 },
    });
  });

  it('says why it leaves a store alone', async () => {
    const [file, other] = [newFile(), newFile()];
    const [home, moved] = [newHome(directory, file), newHome(directory, other)];
    await work(home);
    const running = await openLedger(loadCollectorConfig(moved.env));
    expect(await home.run('copy', '--to', other)).toMatchObject({
      code: 1,
      complained: expect.stringContaining('stop it first'),
    });
    await running.close();
    await home.run('copy', '--to', other);
    const empty = newHome(directory, newFile());
    expect(await empty.run('copy', '--to', other)).toMatchObject({
      code: 1,
      complained: expect.stringContaining('no store'),
    });
    await (await openLedger(loadCollectorConfig(empty.env))).close();
    const refused = await empty.run('copy', '--to', other);
    expect(refused).toMatchObject({
      code: 1,
      complained: expect.stringContaining('Nothing was copied'),
    });
  });

  it('does not take a store for a copy of itself, by whatever name', async () => {
    const file = newFile();
    const home = newHome(directory, file);
    await work(home);
    const link = newFile();
    symlinkSync(file.slice('sqlite:'.length), link.slice('sqlite:'.length));
    const detour = `${dirname(file)}/../${basename(directory)}/${basename(file)}`;
    const [one, other] = [
      'mongodb://ada:secret@store/pi_ledger?replicaSet=a',
      'mongodb://store/pi_ledger',
    ];
    for (const [from, to] of [
      [file, link],
      [file, detour],
      [link, file],
      [one, other],
    ] as const) {
      const { code, complained } = await home.run('copy', '--from', from, '--to', to);
      expect([code, complained]).toEqual([2, expect.stringContaining('are the same store')]);
    }
  });

  it('is told what it needs, and never repeats a password', async () => {
    const home = newHome(directory);
    expect(await home.run('copy')).toMatchObject({
      code: 2,
      complained: expect.stringContaining('--from or --to'),
    });
    expect(
      await home.run('copy', '--to', `sqlite:${home.env.PI_LEDGER_HOME}/ledger.db`),
    ).toMatchObject({ code: 2 });
    const wrong = await home.run('copy', '--to', 'mongo://me:hunter2@server');
    expect(wrong.code).toBe(2);
    expect(wrong.complained).not.toContain('hunter2');
  });
});
