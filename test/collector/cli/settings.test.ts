/** Unknown settings are reported where a user looks. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { main } from '../../../collector/cli/main.ts';
import { temporaryDirectory } from '../support/directory.ts';

const directory = temporaryDirectory();
const bin = join(import.meta.dirname, '..', '..', '..', 'collector', 'bin', 'pi-ledger.mjs');

function homeWith(settings: unknown): string {
  const home = join(mkdtempSync(join(directory, 'home-')), 'ledger');
  mkdirSync(home);
  writeFileSync(join(home, 'config.json'), JSON.stringify(settings));
  return home;
}

async function run(home: string, ...argv: string[]) {
  const [printed, complained]: [string[], string[]] = [[], []];
  const code = await main(argv, {
    env: { PI_LEDGER_HOME: home, HOME: directory },
    columns: null,
    colour: false,
    now: () => new Date(),
    print: (line) => printed.push(line),
    complain: (line) => complained.push(line),
  });
  return { code, printed: printed.join('\n'), complained: complained.join('\n') };
}

describe('the doctor', () => {
  const settingsIn = (printed: string) =>
    (
      JSON.parse(printed) as { findings: { check: string; state: string; detail: string }[] }
    ).findings.filter(({ check }) => check === 'settings');

  it('names each unknown or invalid setting, with exit code 1', async () => {
    const { code, printed } = await run(
      homeWith({ retentionDay: 30, spoolBytesMax: 5 }),
      'doctor',
      '--json',
    );
    expect(code).toBe(1);
    expect(settingsIn(printed)).toEqual([
      {
        check: 'settings',
        state: 'bad',
        detail: '`retentionDay`: unknown; did you mean `retentionDays`?',
      },
      {
        check: 'settings',
        state: 'bad',
        detail: expect.stringContaining('"spoolBytesMax" in config.json is 5, expected'),
      },
    ]);
  });

  it('reports nothing for known settings', async () => {
    const { code, printed } = await run(
      homeWith({ port: 0, retentionDays: 30, agentName: 'nightly' }),
      'doctor',
      '--json',
    );
    expect(code).toBe(0);
    expect(settingsIn(printed)).toMatchObject([{ state: 'good' }]);
  });
});

describe('a collector that starts', () => {
  const start = (home: string) => {
    const child = spawn(process.execPath, [bin, 'start'], {
      env: { ...process.env, PI_LEDGER_HOME: home },
      stdio: 'pipe',
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
    return { child, said: () => said };
  };

  it('names unknown settings, and serves', async () => {
    const { child, said } = start(homeWith({ port: 0, import: false, retentionDay: 30 }));
    await expect.poll(said, { interval: 10 }).toMatch(/listens on http/);
    expect(said()).toContain('Settings: `retentionDay`: unknown; did you mean `retentionDays`?');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('neither serves nor opens a store if a safeguard is probably misspelt', async () => {
    const home = homeWith({ port: 0, auht: 'required' });
    const { child, said } = start(home);
    await expect.poll(() => child.exitCode, { interval: 10 }).toBe(2);
    expect(said()).toContain('`auht`: unknown; did you mean `auth`?');
    expect(existsSync(join(home, 'ledger.db'))).toBe(false);
  });
});
