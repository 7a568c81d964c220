/**
 * The collector, installed from its tarball alone in an empty folder, with an old Node (for which
 * it fetches another) and a new one: the first minutes of a new user.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { writeLines } from '../collector/importers/support/files.ts';
import { createNewcomer, hasSaid, type Newcomer } from './support/newcomer.ts';
import { nodes } from './support/nodes.ts';
import { npm } from './support/npm.ts';

const { collector } = inject('tarballs');

describe.each(nodes)('by $name', (node) => {
  let newcomer: Newcomer;
  let command: string;

  beforeAll(async () => {
    newcomer = await createNewcomer(await node.directory());
    await npm(newcomer.folder, newcomer.env, 'install', collector.path);
    command = join(newcomer.folder, 'node_modules/.bin/pi-ledger');
  });
  afterAll(() => newcomer.dispose());

  it('brings itself, and nothing else', () => {
    const installed = readdirSync(join(newcomer.folder, 'node_modules')).filter(
      (name) => !name.startsWith('.'),
    );
    expect(installed).toEqual(['@pi-ledger']);
    expect(readdirSync(join(newcomer.folder, 'node_modules/@pi-ledger'))).toEqual(['collector']);
  });

  it('imports sessions, and reports them under names and rules of any kind', async () => {
    expect((await newcomer.run(command, 'import', '--pi', sessionsOf(newcomer))).stdout).toContain(
      '1 file read, 0 unchanged',
    );
    const { stdout } = await newcomer.run(command, 'report');
    expect(stdout).toMatch(/^日本語 .*\$0\.0300 /m);
  });

  it('finds nothing bad on a machine without an agent', async () => {
    const { stdout } = await newcomer.run(command, 'doctor');
    expect(stdout).toMatch(/not used by this user/);
    expect(stdout).toMatch(/Node 24\./);
  });

  it('starts, answers, and ends when it is told to', async () => {
    const collecting = newcomer.start(command, 'start');
    const said = await hasSaid(collecting, /listens on http:\S+/);
    const [url = ''] = /http:\S+/.exec(said) ?? [];
    expect(await (await fetch(`${url}/v1/usage?by=project`)).json()).toMatchObject({
      rows: [{ project: '日本語' }],
    });
    const page = await (await fetch(url)).text();
    const files = page.match(/\/assets\/[^"]+/g) ?? [];
    expect(files).toHaveLength(2);
    for (const file of files) expect((await fetch(`${url}${file}`)).status).toBe(200);
    // The answer that the page begins with.
    expect(page).toContain('日本語');
    collecting.kill('SIGTERM');
    expect(await collecting.done).toMatchObject({ exitCode: 0 });
  });

  it('shows a made-up month', async () => {
    const demo = newcomer.start(command, 'demo', '--days', '3');
    await hasSaid(demo, /^DEMO: .* served on http:\S+/m);
    demo.kill('SIGINT');
    expect(await demo.done).toMatchObject({ exitCode: 0 });
  });
});

/**
 * A directory with one answer, in a project whose configured name is wider than its number of
 * letters.
 */
function sessionsOf({ folder, ledgerHome }: Newcomer): string {
  const settings = JSON.parse(readFileSync(join(ledgerHome, 'config.json'), 'utf8')) as object;
  writeFileSync(
    join(ledgerHome, 'config.json'),
    JSON.stringify({ ...settings, projects: [{ match: '/srv/l*', as: '日本語' }] }),
  );
  const timestamp = '2026-11-20T09:00:00.000Z';
  const cost = { input: 0.01, output: 0.02, cacheRead: 0, cacheWrite: 0, total: 0.03 };
  const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 15, cost };
  const message = {
    role: 'assistant',
    content: [],
    provider: 'fake',
    model: 'm',
    usage,
    stopReason: 'stop',
  };
  writeLines(
    join(folder, 'sessions/--srv--/2026-11-20T09-00-00-000Z_s1.jsonl'),
    [
      { type: 'session', version: 3, id: 's1', timestamp, cwd: '/srv/ledger' },
      { type: 'message', id: 'a1', parentId: null, timestamp, message },
    ].map((line) => JSON.stringify(line)),
  );
  return join(folder, 'sessions');
}
