/** Which files a service runs: those that outlast a cache and an update. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import {
  inCopy,
  lastingNode,
  serviceName,
} from '../../../../collector/cli/setup/service/program.ts';
import { isPassing } from '../../../../collector/process/own-command.ts';
import { temporaryDirectory } from '../../support/directory.ts';

const directory = temporaryDirectory();

it.each([
  ['/home/ada/.npm/_npx/1a2b/node_modules/@pi-ledger/collector/dist', true],
  ['/home/ada/.cache/pnpm/dlx/1a2b/node_modules/@pi-ledger/collector/dist', true],
  ['/tmp/bunx-0-@pi-ledger/collector@latest/node_modules/@pi-ledger/collector/dist', true],
  ['/usr/lib/node_modules/@pi-ledger/collector/dist', false],
  ['/home/ada/code/npx/collector/cli/setup', false],
])('whether %s goes with a cache: %s', (folder, expected) => {
  expect(isPassing(folder)).toBe(expected);
});

it('finds the same files in the copy, and leaves others where they are', () => {
  const cache = '/home/ada/.npm/_npx/1a2b/node_modules';
  const copy = '/home/ada/$& app';
  expect(inCopy(`${cache}/@pi-ledger/collector/bin/pi-ledger.mjs`, copy)).toBe(
    `${copy}/node_modules/@pi-ledger/collector/bin/pi-ledger.mjs`,
  );
  expect(inCopy('/usr/bin/node', copy)).toBe('/usr/bin/node');
});

it("takes Homebrew's link instead of the folder of one version", () => {
  const node = join(directory, 'Cellar/node/24.1.0/bin/node');
  expect(lastingNode(node)).toBe(node);
  const link = join(directory, 'opt/node/bin/node');
  mkdirSync(dirname(link), { recursive: true });
  writeFileSync(link, '');
  expect(lastingNode(node)).toBe(link);
});

it('names a service after its home, but for the usual one', () => {
  const env = { HOME: '/home/ada' };
  expect(serviceName('/home/ada/.pi-ledger', env)).toBe('pi-ledger');
  const [one, other] = [serviceName('/srv/a', env), serviceName('/srv/b', env)];
  expect(one).toMatch(/^pi-ledger-[0-9a-f]{8}$/);
  expect(other).not.toBe(one);
});
