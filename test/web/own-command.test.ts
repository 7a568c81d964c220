/** The commands that the page shows are those of the installation that serves it. */
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { delimiter } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { systemPath } from '../packages/support/npm.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { useBrowser } from './support/browser.ts';
import { startedLedger } from './support/collector.ts';

const browser = useBrowser();

/** Of a user's shell: npm adds the programs of this checkout. */
const PATH = systemPath().join(delimiter);

it('a command of the page runs in the folder of any other project', async () => {
  const ledger = await startedLedger();
  const { page } = await browser.open(`${ledger.url}/projects`);
  const command = await page.locator('.same-numbers code').first().textContent();
  expect(command).toContain('report --by project');
  const { stdout } = await promisify(execFile)('sh', ['-c', command ?? ''], {
    cwd: tmpdir(),
    env: { ...bareEnvironment, PATH, PI_LEDGER_HOME: ledger.home },
  });
  expect(stdout).toContain('demo-firmware');
});

it('where tokens are needed it tells nobody where it is installed', async () => {
  let token = '';
  const ledger = await startedLedger({
    settings: { auth: 'required' },
    async before({ run }) {
      const made = await run('token', 'create', '--user', 'ada', '--scope', 'read', '--json');
      ({ token } = JSON.parse(made.stdout));
    },
  });
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${ledger.url}/v1/standing`, { headers });
  expect(answer.status).toBe(200);
  expect(await answer.json()).not.toHaveProperty('command');
});
