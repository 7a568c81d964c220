/**
 * The documents' commands for use outside a checkout, run against a registry with the packages
 * built here.
 */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { processesOf, startProcess } from '../hosts/support/host/processes.ts';
import { repositoryRoot } from '../hosts/support/ledger/ledger.ts';
import { createNewcomer, hasSaid, type Newcomer } from './support/newcomer.ts';
import { nodes } from './support/nodes.ts';
import { type Registry, startRegistry } from './support/registry.ts';

const pages = ['README.md', 'docs/getting-started.md'].map((page) =>
  readFileSync(join(repositoryRoot, page), 'utf8'),
);

describe.each(nodes)('by $name', (node) => {
  let registry: Registry;
  let newcomer: Newcomer;

  beforeAll(async () => {
    registry = await startRegistry(inject('tarballs'));
    newcomer = await createNewcomer(await node.directory());
    registry.useIn(newcomer.home);
  });
  afterAll(async () => {
    await newcomer.dispose();
    await registry.close();
  });

  it('`npx @pi-ledger/collector start` runs the collector, in an empty folder', async () => {
    const line = 'npx @pi-ledger/collector start';
    expect(pages.join('\n')).toContain(line);
    const [npx = '', ...args] = line.split(' ');
    const collecting = newcomer.start(npx, '--yes', ...args);
    expect(await hasSaid(collecting, /Ctrl-C/)).toContain(
      'then run `npx @pi-ledger/collector report`',
    );
    expect((await newcomer.run(npx, '@pi-ledger/collector', 'doctor')).stdout).toMatch(
      /^collector +ok /m,
    );
    // Ctrl-C signals everything in the terminal.
    process.kill(-collecting.pid, 'SIGINT');
    await collecting.done;
  });

  // A shell that has got a SIGINT waits for its command, and npm for the shell: they stay together.
  it.each([
    { signals: ['SIGTERM'] },
    { signals: ['SIGKILL'] },
    { signals: ['SIGINT', 'SIGTERM'] },
  ] as const)('whoever ends npx by $signals ends the collector, too', async ({ signals }) => {
    const npx = newcomer.start('npx', '--yes', '@pi-ledger/collector', 'start');
    const said = await hasSaid(npx, /Ctrl-C/);
    const [url = ''] = /http:\S+/.exec(said) ?? [];
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    for (const signal of signals) npx.kill(signal);
    await npx.done;
    await expect.poll(() => processesOf(newcomer.home)).toEqual([]);
    await expect(fetch(url)).rejects.toThrow();
  });

  it('a collector ends with the older Node that runs it', async () => {
    const program = join(newcomer.folder, 'collector/bin/pi-ledger.mjs');
    cpSync(inject('tarballs').collector.unpacked, join(newcomer.folder, 'collector'), {
      recursive: true,
    });
    const collecting = newcomer.start('node', program, 'start');
    await hasSaid(collecting, /Ctrl-C/);
    collecting.kill('SIGKILL');
    await collecting.done;
    await expect.poll(() => processesOf(newcomer.home)).toEqual([]);
  });

  it('`npm install --global @pi-ledger/collector` brings the command `pi-ledger`', async () => {
    const line = 'npm install --global @pi-ledger/collector';
    expect(pages.join('\n')).toContain(line);
    await newcomer.run(...line.split(' '), '--prefix', newcomer.home);
    expect((await newcomer.run(join(newcomer.home, 'bin/pi-ledger'), 'report')).stdout).toContain(
      'Nothing is recorded',
    );
  });
});

it('in a checkout the same line runs the checkout, and asks no registry', async () => {
  const newcomer = await createNewcomer((await nodes[1]?.directory()) ?? '');
  try {
    const env = { ...newcomer.env, 'npm_config_@pi-ledger:registry': 'http://127.0.0.1:1/' };
    const ended = await startProcess(['npx', '@pi-ledger/collector', '--version'], {
      cwd: repositoryRoot,
      env,
      timeoutMs: 300_000,
    }).done;
    expect(ended).toMatchObject({
      exitCode: 0,
      stdout: `${inject('tarballs').collector.manifest.version}\n`,
    });
  } finally {
    await newcomer.dispose();
  }
});
