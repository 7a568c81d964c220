/**
 * On a Node that is too old the command line fetches another, by npm: once, exactly the one that it
 * names, and again where a fetch was cut off.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { programIn } from '../collector/cli/setup/support/new-user.ts';
import { startProcess } from '../hosts/support/host/processes.ts';
import { repositoryRoot } from '../hosts/support/ledger/ledger.ts';
import { waitMsMax } from '../support/bounds.ts';
import { createNewcomer, type Newcomer } from './support/newcomer.ts';
import { nodes } from './support/nodes.ts';

const { collector } = inject('tarballs');
const fetches = /^pi-ledger needs Node >= 22\.19, this is 20\.\S+\. npm fetches Node 24\.\S+ once/;

let newcomer: Newcomer;
let program: string;
let kept: string;

beforeEach(async () => {
  newcomer = await createNewcomer((await nodes[0]?.directory()) ?? '');
  program = join(newcomer.folder, 'collector/bin/pi-ledger.mjs');
  cpSync(collector.unpacked, join(newcomer.folder, 'collector'), { recursive: true });
  kept = join(newcomer.ledgerHome, 'node');
});
afterEach(() => newcomer.dispose());

function version(env: Readonly<Record<string, string>> = {}) {
  return startProcess(['node', program, '--version'], {
    cwd: newcomer.folder,
    env: { ...newcomer.env, ...env },
    timeoutMs: 300_000,
  });
}

const answer = { exitCode: 0, stdout: `${collector.manifest.version}\n` };

it('comes with the first command, and once', async () => {
  expect(await version().done).toMatchObject({ ...answer, stderr: expect.stringMatching(fetches) });
  expect(await version().done).toMatchObject({ ...answer, stderr: '' });
  expect(readdirSync(kept)).toEqual([expect.stringMatching(/^node-[a-z]+-[a-z0-9]+-24\./)]);
});

it(
  'comes whole with the next command if the first is killed in the middle',
  async () => {
    const programs = join(newcomer.home, 'programs');
    const half = 'mkdir -p node_modules/half; touch node_modules/half/way; exec sleep 600';
    programIn(programs, 'npm', half);
    const killed = version({ PATH: `${programs}:${newcomer.env.PATH}` });
    const staging = () => (existsSync(kept) ? readdirSync(kept) : []);
    await expect
      .poll(() => staging().some((name) => existsSync(join(kept, name, 'node_modules/half/way'))))
      .toBe(true);
    process.kill(-killed.pid, 'SIGKILL');
    await killed.done;
    expect(await version().done).toMatchObject({
      ...answer,
      stderr: expect.stringMatching(fetches),
    });
    expect(readdirSync(kept)).toEqual([expect.stringMatching(/^node-/)]);
  },
  waitMsMax,
);

it('is not run if it is not the one that is meant', async () => {
  const file = join(newcomer.folder, 'collector/bin/newer-node.mjs');
  const other = readFileSync(file, 'utf8').replaceAll(/sha512-\w{8}/g, 'sha512-AAAAAAAA');
  writeFileSync(file, other);
  expect(await version().done).toMatchObject({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringMatching(/fetching Node 24\.\S+ failed \(Integrity checksum failed/),
  });
  expect(readdirSync(kept)).toEqual([]);
});

it('says what to do where it does not come', async () => {
  const cache = join(newcomer.home, 'empty');
  mkdirSync(cache);
  const offline = {
    npm_config_registry: 'http://127.0.0.1:1/',
    npm_config_cache: cache,
    npm_config_fetch_retries: '0',
  };
  expect(await version(offline).done).toMatchObject({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /: fetching Node .* failed \(.+\); try again with a network, or install a newer one\.$/m,
    ),
  });
});

it("is a checkout's own Node from the first `npm run` on", async () => {
  const { folder, env } = newcomer;
  cpSync(join(repositoryRoot, 'run.mjs'), join(folder, 'run.mjs'));
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  const scripts = {
    first: 'node run.mjs say.ts',
    second: 'node say.ts',
    third: 'node run.mjs node say.ts',
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', scripts }));
  writeFileSync(
    join(folder, 'say.ts'),
    'const version: string = process.version;\nconsole.log(version);',
  );
  const said = [];
  for (const name of Object.keys(scripts)) {
    const command = ['npm', 'run', '--silent', name];
    said.push(await startProcess(command, { cwd: folder, env, timeoutMs: 300_000 }).done);
  }
  const stdout = expect.stringMatching(/^v24\./);
  expect(said).toMatchObject([
    { exitCode: 0, stdout, stderr: expect.stringMatching(fetches) },
    { exitCode: 0, stdout, stderr: expect.not.stringMatching(fetches) },
    { exitCode: 0, stdout, stderr: expect.not.stringMatching(fetches) },
  ]);
});
