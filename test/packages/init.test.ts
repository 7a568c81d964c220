/**
 * `npx @pi-ledger/collector init` on a terminal, with real agents, packages from a registry, and a
 * systemctl that runs what the unit says; then `uninstall`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { leaveSession, programIn, systemctl } from '../collector/cli/setup/support/new-user.ts';
import { hosts } from '../hosts/support/host/hosts.ts';
import { ensureHosts } from '../hosts/support/host/install.ts';
import { startProcess } from '../hosts/support/host/processes.ts';
import { createNewcomer, type Newcomer } from './support/newcomer.ts';
import { nodes } from './support/nodes.ts';
import { type Registry, startRegistry } from './support/registry.ts';

const newest = ['omp', 'pi'].flatMap((family) =>
  hosts.filter((host) => host.family === family).slice(-1),
);

beforeAll(() => ensureHosts());

describe.each(nodes)('by $name', (node) => {
  let registry: Registry;
  let newcomer: Newcomer;
  let env: Readonly<Record<string, string>>;

  beforeAll(async () => {
    registry = await startRegistry(inject('tarballs'));
    newcomer = await createNewcomer(await node.directory());
    registry.useIn(newcomer.home);
    const programs = join(newcomer.home, 'programs');
    for (const { family, command, directory } of newest) {
      const bun = join(directory, 'node_modules/.bin');
      const path = family === 'omp' ? `PATH="$PATH:${bun}" ` : '';
      programIn(programs, family, `${path}exec ${command.join(' ')} "$@"`);
    }
    programIn(programs, 'systemctl', systemctl);
    mkdirSync(join(newcomer.home, '.omp'));
    leaveSession(newcomer.home);
    const PATH = `${programs}:${newcomer.env.PATH}`;
    env = { ...newcomer.env, PATH, npm_config_progress: 'false' };
  });
  afterAll(async () => {
    await newcomer.dispose();
    await registry.close();
  });

  it('init goes from nothing to the page, and uninstall back', async () => {
    const said = await typed(newcomer, env, 'npx --yes @pi-ledger/collector init', '\n'.repeat(12));
    for (const { family } of newest)
      expect(said).toMatch(new RegExp(`^${family} +loads the extension; uninstall runs: `, 'm'));
    expect(said).toMatch(/^1 new record in 1 session: billing unknown \$0\.5/m);
    expect(said).toMatch(/^service +runs as pi-ledger; /m);
    expect(said).toMatch(/^Done\. What init did, `npx @pi-ledger\/collector uninstall` undoes/m);
    const [, url = ''] = /^page +(http:\S+)\/\s*$/m.exec(said) ?? [];
    expect(await (await fetch(`${url}/v1/usage`)).json()).toMatchObject({ total: { records: 1 } });
    // What the service runs outlasts npx's cache.
    const unit = join(newcomer.home, '.config/systemd/user/pi-ledger.service');
    expect(readFileSync(unit, 'utf8')).toContain(`${newcomer.ledgerHome}/app/node_modules`);
    expect(readFileSync(unit, 'utf8')).not.toContain('_npx');

    const again = await typed(
      newcomer,
      env,
      'npx --yes @pi-ledger/collector init',
      '\n'.repeat(12),
    );
    expect(again).toMatch(/^service +runs in the background as pi-ledger/m);
    expect(again).toMatch(/^pi +extension installed \(npm:@pi-ledger\/extension\)/m);

    const back = await typed(newcomer, env, 'npx --yes @pi-ledger/collector uninstall --yes', '');
    for (const { family } of newest)
      expect(back).toMatch(new RegExp(`^${family} +does not load the extension any more`, 'm'));
    expect(back).toMatch(/^service +stopped, and /m);
    expect(existsSync(unit)).toBe(false);
    expect(existsSync(join(newcomer.ledgerHome, 'app'))).toBe(false);
    expect(existsSync(join(newcomer.ledgerHome, 'install.json'))).toBe(false);
    await expect(fetch(url)).rejects.toThrow();
  });
});

/** What a terminal shows when this line, and then these answers, are typed. */
async function typed(
  { folder, home }: Newcomer,
  env: Readonly<Record<string, string>>,
  line: string,
  answers: string,
): Promise<string> {
  const input = join(home, 'typed');
  writeFileSync(input, answers);
  const { exitCode, stdout } = await startProcess(
    ['sh', '-c', 'script --quiet --return --command "$0" /dev/null <"$1"', line, input],
    { cwd: folder, env, timeoutMs: 300_000 },
  ).done;
  const said = stdout.replaceAll('\r', '');
  expect({ exitCode, said }).toMatchObject({ exitCode: 0 });
  return said;
}
