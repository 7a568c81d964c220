/**
 * What `npm install` prints in a checkout: errors, and no warnings, which nobody there can act on.
 * With the checkout's own lock file and settings of npm; nothing is fetched.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { startProcess } from '../hosts/support/host/processes.ts';
import { repositoryRoot } from '../hosts/support/ledger/ledger.ts';
import { nodes } from './support/nodes.ts';
import { npmEnvironment, systemPath } from './support/npm.ts';

const root = temporaryDirectory();
const settings = join(repositoryRoot, '.npmrc');

/** With the files of the checkout that npm reads. */
function folder(name: string): string {
  const path = join(root, name);
  mkdirSync(path, { recursive: true });
  if (existsSync(settings)) copyFileSync(settings, join(path, '.npmrc'));
  return path;
}

describe.each(nodes)('npm by $name', (node) => {
  let env: Readonly<Record<string, string>>;
  beforeAll(async () => {
    const PATH = [await node.directory(), ...systemPath()].join(delimiter);
    const { npm_config_loglevel: _, ...own } = npmEnvironment();
    env = { ...own, PATH };
  });

  async function install(cwd: string, ...more: readonly string[]) {
    const command = ['npm', 'install', '--offline', '--no-audit', '--no-fund', ...more];
    return startProcess(command, { cwd, env, timeoutMs: 300_000 }).done;
  }

  it('has nothing to say of any package of the lock file', async () => {
    const checkout = folder(`${node.name} checkout`);
    const manifests = ['.', 'contract', 'core', 'extension', 'collector'].map((each) =>
      join(each, 'package.json'),
    );
    for (const file of ['package-lock.json', ...manifests]) {
      mkdirSync(join(checkout, file, '..'), { recursive: true });
      copyFileSync(join(repositoryRoot, file), join(checkout, file));
    }
    const { exitCode, stdout, stderr } = await install(checkout, '--dry-run', '--ignore-scripts');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/added \d{3} packages/);
  });

  it('says why a script failed, and which, and nothing of old packages', async () => {
    const old = folder(`${node.name} old`);
    const manifest = { name: 'old', version: '1.0.0', engines: { node: '>=99' } };
    writeFileSync(join(old, 'package.json'), JSON.stringify({ ...manifest, deprecated: 'gone' }));
    execFileSync('npm', ['pack', '--silent'], { cwd: old, env });
    const checkout = folder(`${node.name} failing`);
    writeFileSync(join(checkout, 'prepare.mjs'), "console.error('why'); process.exitCode = 3;");
    writeFileSync(
      join(checkout, 'package.json'),
      JSON.stringify({
        private: true,
        scripts: { prepare: 'node prepare.mjs' },
        dependencies: { old: `file:${join(old, 'old-1.0.0.tgz')}` },
      }),
    );
    const { exitCode, stderr } = await install(checkout);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/^why$/m);
    expect(stderr).toMatch(/^npm error command sh -c node prepare\.mjs$/m);
    expect(stderr).not.toContain('warn');
  });

  it('says which package does not come', async () => {
    const checkout = folder(`${node.name} missing`);
    writeFileSync(
      join(checkout, 'package.json'),
      JSON.stringify({ private: true, dependencies: { gone: 'file:gone-1.0.0.tgz' } }),
    );
    const { exitCode, stderr } = await install(checkout);
    expect(exitCode).not.toBe(0);
    expect(stderr).toMatch(/^npm error .*gone-1\.0\.0\.tgz/m);
  });
});
