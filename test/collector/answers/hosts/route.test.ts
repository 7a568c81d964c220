import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { installLine } from '../../../../collector/process/hosts/install-line.ts';
import { guardedLedgers } from '../../support/guarded.ts';
import { get, ledgerHomes } from '../../support/ledger.ts';

const { holding } = ledgerHomes();
const guarded = guardedLedgers();
const variables = ['HOME', 'PI_CODING_AGENT_DIR', 'PI_CONFIG_DIR'] as const;
const before = variables.map((name) => [name, process.env[name]] as const);
const homes: string[] = [];

afterEach(() => {
  for (const [name, value] of before)
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  for (const home of homes.splice(0)) rmSync(home, { recursive: true });
});

/** A home of somebody who uses pi; it is that of this process. */
function homeWithPi(): string {
  const home = mkdtempSync(join(tmpdir(), 'hosts-'));
  homes.push(home);
  mkdirSync(join(home, '.pi', 'agent'), { recursive: true });
  for (const name of variables) delete process.env[name];
  process.env.HOME = home;
  return home;
}

describe('GET /v1/hosts', () => {
  it('has the command for an agent without the extension, and none once it is there', async () => {
    const home = homeWithPi();
    const ledger = await holding();
    const rows = async () => (await get(ledger, '/v1/hosts')).json().rows;
    expect(await rows()).toMatchObject([
      { host: 'pi', isUsed: true, state: 'bad', install: installLine('pi') },
      { host: 'omp', isUsed: false, state: 'note', install: null },
    ]);
    const settings = JSON.stringify({ packages: ['npm:@pi-ledger/extension'] });
    writeFileSync(join(home, '.pi', 'agent', 'settings.json'), settings);
    expect((await rows())[0]).toMatchObject({ isUsed: true, state: 'good', install: null });
  });

  it('tells readers with restricted access nothing of this machine', async () => {
    homeWithPi();
    const subject = await guarded.open();
    const own = await subject.make({ user: 'ada', scopes: ['read'], onlyOwn: true });
    const { status, text } = await subject.ask({ url: '/v1/hosts', token: own.text });
    expect([status, JSON.parse(text)]).toEqual([200, { rows: [] }]);
  });
});
