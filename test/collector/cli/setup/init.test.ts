/** `pi-ledger init`: what it asks, does, refuses and says, step by step. */
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { installLine } from '../../../../collector/process/hosts/install-line.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { goodPi, leaveSession, type NewUser, newUser } from './support/new-user.ts';

const directory = temporaryDirectory();

async function userOfPi(script = goodPi): Promise<NewUser> {
  const user = await newUser(directory);
  user.program('pi', script);
  leaveSession(user.home);
  return user;
}

const remove = installLine('pi').replace('install', 'remove');

describe('pi-ledger init', () => {
  it('goes from nothing to the history, and says what uninstall would undo', async () => {
    const user = await userOfPi();
    const { code, said, questions } = await user.run(['', 'y', 'y', 's', 'n'], 'init');
    expect({ code, said }).toMatchObject({ code: 0 });
    expect(questions).toEqual([
      `pi         run \`${installLine('pi')}\`? [Y/n] `,
      "footer     show cost and context in the agent's footer? [y/N] ",
      'history    import the sessions that pi and omp have kept? [Y/n] ',
      'billing    anthropic, $0.50: (m)etered or (s)ubscription? Enter: not known: ',
      'page       run the collector in this terminal, until Ctrl-C? [Y/n] ',
    ]);
    expect(said).toContain('           Installing ');
    expect(said).toContain(`pi         loads the extension; uninstall runs: ${remove}`);
    expect(said).toMatch(/^1 new record in 1 session: billing unknown \$0\.5/m);
    expect(said).toMatch(
      /^service +not possible here \(Failed to connect to bus\)\n +start .* start$/m,
    );
    expect(user.read('pi.log')).toMatch(/^install \S+\n--mode rpc --no-session\n$/);
    expect(JSON.parse(user.read('.pi-ledger/config.json') ?? '')).toEqual({
      port: expect.any(Number),
      footer: true,
      billing: { anthropic: 'subscription' },
    });
    expect(JSON.parse(user.read('.pi-ledger/install.json') ?? '')).toEqual({
      extensions: { pi: remove.split(' ') },
      settings: { footer: true, billing: { anthropic: 'subscription' } },
      service: null,
      copy: null,
    });
    const report = JSON.parse((await user.run(null, 'report', '--json')).said);
    expect(report.total).toMatchObject({ subscriptionNanoUsd: '500000000' });
  });

  it('asks nothing again about what is there, and adds nothing', async () => {
    const user = await userOfPi();
    await user.run(['', 'y', '', 'm', 'n'], 'init');
    const before = user.read('.pi-ledger/install.json');
    const { code, said, questions } = await user.run(['', 'n'], 'init');
    expect(code).toBe(0);
    expect(questions.map((question) => question.slice(0, 10).trim())).toEqual(['history', 'page']);
    expect(said).toMatch(/^pi .*extension installed \(/m);
    expect(said).toContain('nothing new');
    expect(user.read('.pi-ledger/install.json')).toBe(before);
    expect(user.read('pi.log')?.match(/^install/gm)).toHaveLength(1);
  });

  it('does nothing that is refused, and says how to do it later', async () => {
    const user = await userOfPi();
    const { code, said } = await user.run(['n', 'no', 'N'], 'init');
    expect(code).toBe(0);
    expect(said).toContain(`pi         does not load the extension; later: ${installLine('pi')}`);
    expect(said).toContain('history    not imported now');
    expect(said).toContain('page       start it: pi-ledger start');
    expect(user.read('pi.log')).toBeNull();
    expect(user.read('.pi-ledger/install.json')).toBeNull();
  });

  it('asks again where an answer is none of the expected', async () => {
    const user = await userOfPi();
    const { questions } = await user.run(['what', 'n', 'n', 'n'], 'init');
    const flat = (question = '') => question.replaceAll(/\s+/g, ' ');
    expect(flat(questions[1])).toBe(`y or n, please. ${flat(questions[0])}`);
  });

  it('stops where the answers end, and goes on from there', async () => {
    const user = await userOfPi();
    const { code, said } = await user.run([''], 'init');
    expect(code).toBe(1);
    expect(said).toMatch(/^Stopped\. To go on: pi-ledger init$/m);
    const { questions } = await user.run(['', '', '', 'n'], 'init');
    expect(questions.slice(0, 2)).toEqual([
      expect.stringMatching(/^footer/),
      expect.stringMatching(/^history/),
    ]);
    expect(user.read('.pi-ledger/config.json')).not.toContain('footer');
  });

  it('takes every default with --yes, and asks nobody', async () => {
    const user = await userOfPi();
    const { code, said } = await user.run(null, 'init', '--yes');
    expect(code).toBe(0);
    expect(said).toContain('pi         loads the extension');
    expect(said).toMatch(/not known; say it with: pi-ledger billing anthropic=subscription/);
    expect(said).toContain('page       start it: pi-ledger start');
    expect(Object.keys(JSON.parse(user.read('.pi-ledger/config.json') ?? ''))).toEqual(['port']);
  });

  it.each([
    ['--dry-run', 0],
    [null, 2],
  ])('lists the steps and does nothing: %s', async (option, expected) => {
    const user = await userOfPi();
    const argv = option === null ? ['init'] : ['init', option];
    const { code, said } = await user.run(null, ...argv);
    expect(code).toBe(expected);
    expect(said).toContain(`pi         would run: ${installLine('pi')}`);
    expect(said).toContain('history    would import the session files of pi and omp');
    expect(said.includes('pi-ledger init --yes does it')).toBe(option === null);
    expect(user.read('pi.log')).toBeNull();
    expect(user.read('.pi-ledger/ledger.db')).toBeNull();
    expect(user.read('.pi-ledger/install.json')).toBeNull();
  });

  it('has no service where the settings name a collector elsewhere', async () => {
    const user = await userOfPi();
    user.env.PI_LEDGER_URL = 'http://127.0.0.1:9';
    const { said, questions } = await user.run(['n', 'n'], 'init');
    expect(questions.map((question) => question.slice(0, 10).trim())).toEqual(['pi', 'history']);
    expect(said).toMatch(/^service +none here, .* the collector at http:\/\/127\.0\.0\.1:9$/m);
    expect(said).toMatch(/^page +http:\/\/127\.0\.0\.1:9\/$/m);
  });

  it('says so where no agent was ever started', async () => {
    const user = await newUser(directory);
    const { code, said } = await user.run(['', 'n'], 'init');
    expect(code).toBe(0);
    expect(said).toContain('hosts      neither pi nor omp was ever started here');
    expect(said).toMatch(/^No session files in /m);
  });
});

describe('what goes wrong', () => {
  it.each([
    ['echo "npm: no network"; exit 7', /^ +npm: no network$/m, /` failed; run it yourself/],
    ['exit 0', /ended well, but: the extension\s+is\s+not\s+installed/, /warning/],
    [
      goodPi.replace('--mode)', '--never)'),
      /started once, it recorded nothing/,
      /start pi, then pi-ledger doctor/,
    ],
  ])('a host that does not install it is named: %#', async (script, first, second) => {
    const user = await userOfPi(script);
    const { code, said } = await user.run(['', 'n', 'n'], 'init');
    expect(code).toBe(1);
    expect(said).toMatch(first);
    expect(said).toMatch(second);
    // The rest was asked for all the same.
    expect(said).toContain('history    not imported now');
  });

  it('a host whose program is not on the PATH is named, and nothing is noted', async () => {
    const user = await newUser(directory);
    leaveSession(user.home);
    const { code, said } = await user.run(['', 'n', 'n'], 'init');
    expect(code).toBe(1);
    expect(said).toContain('there is no program `pi` on the PATH');
    expect(user.read('.pi-ledger/install.json')).toBeNull();
  });

  it('a config.json with an error is left as it is, and nothing is done', async () => {
    for (const text of ['{"port": "many"}', '{ "port": ']) {
      const user = await userOfPi();
      user.write('.pi-ledger/config.json', text);
      const { code, said } = await user.run(['', '', '', ''], 'init');
      expect(code).toBeGreaterThan(0);
      expect(said).toMatch(/^error: .*config(uration|\.json)/m);
      expect(user.read('.pi-ledger/config.json')).toBe(text);
      expect(user.read('pi.log')).toBeNull();
    }
  });

  it('a home that cannot be read or written is named, and nothing is installed', async () => {
    const user = await userOfPi();
    user.write('file', '');
    user.env.PI_LEDGER_HOME = join(user.home, 'file/ledger');
    expect(await user.run(['', 'n', 'n'], 'init')).toMatchObject({
      code: 2,
      said: expect.stringMatching(/file\/ledger\/config\.json\s+cannot\s+be\s+read/),
    });
    user.env.PI_LEDGER_HOME = user.ledgerHome;
    // The draft of install.json has no place.
    mkdirSync(join(user.ledgerHome, `install.json.${process.pid}`));
    expect(await user.run(['', 'n', 'n'], 'init')).toMatchObject({
      code: 1,
      said: expect.stringMatching(/^pi +warning: [\s\S]*install\.json\S*\s+cannot\s+be\s+used/m),
    });
    expect(user.read('pi.log')).toBeNull();
  });

  it('a port that another program uses is changed, if that is wanted', async () => {
    const user = await userOfPi();
    const stranger = createServer((_, answer) => answer.end('hello'));
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void stranger.close());
    const { port } = stranger.address() as AddressInfo;
    user.write('.pi-ledger/config.json', { port });
    const refused = await user.run(['n', 'n', 'n', 'n'], 'init');
    expect(refused.said).toContain("Another program uses the collector's port");
    expect(JSON.parse(user.read('.pi-ledger/config.json') ?? '')).toEqual({ port });
    const { questions } = await user.run(['n', '', 'n', 'n'], 'init');
    const [, next] = /let the collector use (\d+)\?/.exec(questions[1] ?? '') ?? [];
    expect(JSON.parse(user.read('.pi-ledger/config.json') ?? '')).toEqual({ port: Number(next) });
    expect(Number(next)).toBeGreaterThan(port);
    expect(await user.run(null, 'uninstall', '--yes')).toMatchObject({ code: 0 });
    expect(JSON.parse(user.read('.pi-ledger/config.json') ?? '')).toEqual({ port });
    expect(user.read('.pi-ledger/install.json')).toBeNull();
  });

  it('a damaged install.json stops it before anything is done', async () => {
    const user = await userOfPi();
    user.write('.pi-ledger/install.json', '{"extensions":');
    const { code, said } = await user.run(['', ''], 'init');
    expect(code).toBe(1);
    expect(said).toMatch(/install\.json\s+is\s+damaged/);
    expect(user.read('pi.log')).toBeNull();
  });
});
