import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../../../collector/config/config.ts';
import { openLedger, startCollector } from '../../../../collector/main.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { exampleEvent } from '../../support/events.ts';
import { type Home, newHome, reportsOf, work } from './homes.ts';
import { contentOf } from './stores.ts';

const directory = temporaryDirectory();
const bin = join(import.meta.dirname, '..', '..', '..', '..', 'collector', 'bin', 'pi-ledger.mjs');
let files = 0;

function newFile(): string {
  files += 1;
  return join(directory, `${files}.ndjson`);
}

/** What an export must contain. */
async function logOf({ env }: Home): Promise<readonly unknown[]> {
  const { events } = await contentOf(`sqlite:${join(env.PI_LEDGER_HOME ?? '', 'ledger.db')}`);
  return events.map(({ position, eventId, text }) => [
    position,
    eventId,
    text.replace(/[\r\n]/g, ' '),
  ]);
}

async function exported(): Promise<{
  readonly home: Home;
  readonly file: string;
  readonly events: number;
}> {
  const [home, file] = [newHome(directory), newFile()];
  const events = await work(home);
  expect(await home.run('export', file)).toMatchObject({
    code: 0,
    printed: expect.stringMatching(/ events in /),
  });
  return { home, file, events };
}

describe('pi-ledger export', () => {
  it('writes an event per line; importing them gives the same log and reports', async () => {
    const { home, file, events } = await exported();
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(lines.length).toBe(events + 1);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      position: 1,
      receivedAt: expect.stringMatching(/Z$/),
      event: expect.anything(),
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const restored = newHome(directory);
    expect(await restored.run('import-events', file)).toMatchObject({
      code: 0,
      complained: '',
      printed: expect.stringContaining('0 already known'),
    });
    expect(await logOf(restored)).toEqual(await logOf(home));
    expect(await reportsOf(restored)).toEqual(await reportsOf(home));
    expect(await restored.run('import-events', file)).toMatchObject({
      code: 0,
      printed: expect.stringMatching(/^0 new events/),
    });
  });

  it('goes through a running collector, both ways', async () => {
    const { home, file } = await exported();
    const [restored, other] = [newHome(directory), newFile()];
    const collector = await startCollector(loadCollectorConfig(restored.env), { logStream: null });
    expect(await restored.run('import-events', file)).toMatchObject({ code: 0, complained: '' });
    expect((await restored.run('export', other)).code).toBe(0);
    await collector.stop();
    expect(await logOf(restored)).toEqual(await logOf(home));
    expect(hashOfEvents(other)).toBe(hashOfEvents(file));
  });

  it('writes only what happened in a time', async () => {
    const { home, file } = await exported();
    const times = eventsIn(file).map(({ time }) => time);
    const part = newFile();
    await home.run('export', part, '--since', '2026-11-17', '--until', '2026-11-18');
    const wanted = times.filter((time) => time >= '2026-11-17' && time < '2026-11-19');
    expect(wanted.length).toBeGreaterThan(0);
    expect(eventsIn(part).map(({ time }) => time)).toEqual(wanted);
    await home.run('export', part, '--until', '2026-11-17T12:00:00Z');
    expect(eventsIn(part).map(({ time }) => time)).toEqual(
      times.filter((time) => time < '2026-11-17T12:00:00.000Z'),
    );
    expect((await home.run('export', part, '--since', 'soon')).code).toBe(2);
    const { printed } = await home.run('export', part, '--until', '2000-01-01', '--json');
    expect(JSON.parse(printed)).toEqual({
      ...{ file: part, events: 0, hasSealed: false },
      ...{ withdrawn: 0, damaged: 0 },
    });
    expect(readFileSync(part, 'utf8')).toBe('');
  });

  it('leaves what was there, and nothing beside it, when it cannot go on', async () => {
    const { home, file } = await exported();
    const before = readFileSync(file);
    // A collector of a version that cannot export: its answer is no NDJSON.
    const { exportEvents } = await import('../../../../collector/cli/transfer/export-events.ts');
    const { createExportFile } = await import('../../../../collector/cli/transfer/export-file.ts');
    const written = await createExportFile(file);
    const readPage = async (after: number): Promise<string> =>
      after === 0 ? '{"position":1,"event":{}}\n' : '{}\n';
    await expect(exportEvents({ readPage, period: {}, write: written.write })).rejects.toThrow(
      'update it',
    );
    await written.discard();
    expect(readFileSync(file)).toEqual(before);
    expect(readdirSync(directory).filter((name) => name.endsWith('.part'))).toEqual([]);
    expect((await home.run('export', join(directory, 'none', 'x'))).code).toBe(1);
  });

  it('writes into pipes, and through a symbolic link, without replacing them', async () => {
    const { home, file } = await exported();
    const [pipe, link, real] = [newFile(), newFile(), newFile()];
    spawnSync('bash', ['-c', 'mkfifo "$0"', pipe]);
    const reading = readFile(pipe);
    expect(await home.run('export', pipe)).toMatchObject({ code: 0 });
    expect((await reading).equals(readFileSync(file))).toBe(true);
    expect(statSync(pipe).isFIFO()).toBe(true);
    writeFileSync(real, 'old');
    symlinkSync(real, link);
    expect(await home.run('export', link)).toMatchObject({ code: 0 });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(real).equals(readFileSync(file))).toBe(true);
    expect(await home.run('export', directory)).toMatchObject({
      code: 1,
      complained: expect.stringContaining('is a directory'),
    });
  });

  it('says that not all was written when its reader goes', async () => {
    const { home } = await exported();
    const script = 'set -o pipefail; "$0" "$1" export | true';
    const { status, stderr } = spawnSync('bash', ['-c', script, process.execPath, bin], {
      env: { ...process.env, ...home.env },
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'error: The reader closed the pipe: not everything was written.\n',
    });
  });

  it('is one end of a pipe, and import-events the other', async () => {
    const { home } = await exported();
    const restored = newHome(directory);
    const from = spawn(process.execPath, [bin, 'export'], {
      env: { ...process.env, ...home.env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const to = spawn(process.execPath, [bin, 'import-events', '-'], {
      env: { ...process.env, ...restored.env },
      stdio: [from.stdout, 'ignore', 'inherit'],
    });
    expect(await once(to, 'exit')).toEqual([0, null]);
    expect(await logOf(restored)).toEqual(await logOf(home));
  });
});

async function expectForeign(home: Home, file: string, text: string): Promise<void> {
  writeFileSync(file, text);
  expect(await home.run('import-events', file)).toMatchObject({
    code: 1,
    printed: '',
    complained: expect.stringMatching(/holds no events: its line [12] is none/),
  });
}

describe('pi-ledger import-events', () => {
  it('names what it refuses by file and line, keeps it, and takes the rest', async () => {
    const [home, file] = [newHome(directory), newFile()];
    const good = (number: number): string => JSON.stringify(exampleEvent({ number }));
    const row = JSON.stringify({
      receivedAt: '2026-11-22T09:00:00.000Z',
      position: 4,
      event: exampleEvent({ number: 4 }),
    });
    const large = JSON.stringify(exampleEvent({ number: 5, data: { more: 'x'.repeat(300_000) } }));
    const unknown = JSON.stringify({ ...exampleEvent({ number: 6 }), type: 'pi.none.v1' });
    writeFileSync(
      file,
      `\uFEFF${good(1)}\r\n\nno JSON "at" all\n${good(2)}\n[1]\n${row}\n${large}\n${unknown}\n`,
    );
    appendFileSync(file, Buffer.from([0xff, 0xfe, 0x0a]));
    appendFileSync(file, good(3));
    const { code, printed, complained } = await home.run('import-events', file);
    expect(code).toBe(1);
    expect(printed).toContain('4 new events, 0 already known.\n5 lines were rejected');
    const named = complained
      .split('\n')
      .map((line) => line.replace(file, '').split(' ').slice(0, 1).join(' '));
    expect(named).toEqual([':3:', ':5:', ':7:', ':8:', ':9:']);
    expect(complained).toContain(`${file}:8: unknown_type at /type`);
    const { rows } = JSON.parse((await home.run('rejected', 'list', '--json')).printed) as {
      rows: { code: string; body: string }[];
    };
    expect(rows.map(({ code: reason }) => reason)).toEqual([
      'not_an_event',
      'not_an_event',
      'too_large',
      'unknown_type',
      'not_an_event',
    ]);
    expect(JSON.parse(rows[0]?.body ?? '')).toBe('no JSON "at" all');
    expect((await logOf(home)).length).toBe(4);
  });

  it('refuses a file whose first line is no event, and is content with nothing', async () => {
    const [home, file] = [newHome(directory), newFile()];
    for (const text of ['this\nis\nnone\n', '\n{"type":"session","version":3}\n', '[1]'])
      await expectForeign(home, file, text);
    expect(readdirSync(home.env.PI_LEDGER_HOME ?? '')).toEqual([]);
    expect(await home.run('import-events', `${file}.not`)).toMatchObject({
      code: 1,
      complained: expect.stringContaining('no such file'),
    });
    writeFileSync(file, '');
    expect(await home.run('import-events', file)).toMatchObject({
      code: 0,
      printed: expect.stringContaining('No events'),
    });
    expect((await home.run('import-events')).code).toBe(2);
  });

  it('is only for the ledger and admin tokens: no producer says who authenticated', async () => {
    const home = newHome(directory);
    const ledger = await openLedger(loadCollectorConfig(home.env));
    const event = {
      ...exampleEvent({ number: 1, type: 'pi.session.attributed.v1' }),
      authenticateduser: 'ada',
    };
    const post = async (url: string) => {
      const headers = { 'content-type': 'application/cloudevents-batch+json' };
      return (
        await ledger.app.inject({ method: 'POST', url, headers, payload: JSON.stringify([event]) })
      ).json();
    };
    expect(await post('/v1/events')).toMatchObject({
      accepted: 0,
      rejected: [{ field: '/authenticateduser' }],
    });
    expect(await post('/v1/log')).toMatchObject({ accepted: 1, rejected: [] });
    await ledger.close();
  });
});

function eventsIn(file: string): readonly { readonly id: string; readonly time: string }[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => (JSON.parse(line) as { event: { id: string; time: string } }).event);
}

function hashOfEvents(file: string): string {
  const texts = readFileSync(file, 'utf8').replace(/"receivedAt":"[^"]*"/g, '');
  return createHash('sha256').update(texts).digest('hex');
}
