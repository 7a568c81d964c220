import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkHosts } from '../../../../collector/cli/doctor/hosts.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { newUser } from '../setup/support/new-user.ts';

const directory = temporaryDirectory();

it('init is named where agents are used and none has the extension', async () => {
  const { home, write } = await newUser(directory);
  const found = () => checkHosts({ HOME: home }).map(({ check, state }) => `${check} ${state}`);
  expect(found()).toEqual(['pi note', 'omp note']);
  mkdirSync(join(home, '.omp'));
  expect(found()).toEqual(['pi note', 'omp bad', 'setup note']);
  expect(checkHosts({ HOME: home }).at(-1)?.detail).toContain('`pi-ledger init`');
  write('.pi/agent/settings.json', { packages: ['npm:@pi-ledger/extension'] });
  expect(found()).toEqual(['pi good', 'omp bad']);
});

it('what cannot be seen in omp is said where the extension is in it', async () => {
  const { home, write } = await newUser(directory);
  const said = () => checkHosts({ HOME: home }).filter(({ detail }) => detail.includes('on Bun'));
  mkdirSync(join(home, '.omp'));
  expect(said()).toEqual([]);
  write('.omp/plugins/omp-plugins.lock.json', { plugins: { '@pi-ledger/extension': {} } });
  mkdirSync(join(home, '.omp/plugins/node_modules/@pi-ledger/extension'), { recursive: true });
  expect(said()).toMatchObject([{ check: 'requests', state: 'note' }]);
});
