/** The collector as a service: by a systemctl that does what it is told, and without one. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findManager } from '../../../../collector/cli/setup/service/find-manager.ts';
import { launchd } from '../../../../collector/cli/setup/service/launchd.ts';
import { systemd } from '../../../../collector/cli/setup/service/systemd.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { leaveSession, type NewUser, newUser, systemctl } from './support/new-user.ts';

const directory = temporaryDirectory();

async function userWithSystemd(): Promise<NewUser> {
  const user = await newUser(directory);
  user.program('systemctl', systemctl);
  leaveSession(user.home);
  onTestFinished(() => {
    const pid = user.read('service.pid');
    if (pid !== null) process.kill(Number(pid), 'SIGKILL');
  });
  return user;
}

const unit = '.config/systemd/user/pi-ledger.service';

describe('init and uninstall with systemd', () => {
  it('start the collector in the background, once, and stop it again', async () => {
    const user = await userWithSystemd();
    const first = await user.run(['n', '', 'n', ''], 'init');
    expect(first).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^page +http:\/\/127\.0\.0\.1:\d+\/$/m),
    });
    expect(first.questions.at(-1)).toContain('in the background, from each login on (systemd)?');
    expect(first.said).toContain('service    runs as pi-ledger; uninstall stops it and removes ');
    expect(user.read(unit)).toContain('Restart=on-failure');
    expect(JSON.parse((await user.run(null, 'report', '--json')).said)).toHaveProperty('total');

    const again = await user.run(['n', 'n'], 'init');
    expect(again).toMatchObject({ code: 0 });
    expect(again.said).toContain('service    runs in the background as pi-ledger (systemd)');
    expect(again.said).toContain('history    is imported by the collector that runs');
    expect(user.read('systemctl.log')?.match(/^--user restart/gm)).toHaveLength(1);

    const kept = await user.run(['n'], 'uninstall');
    expect(kept.said).toContain('service    stays: pi-ledger');
    expect(user.read(unit)).not.toBeNull();
    const gone = await user.run([''], 'uninstall');
    expect(gone).toMatchObject({ code: 0 });
    expect(gone.questions).toEqual(['service    stop pi-ledger and remove it? [Y/n] ']);
    expect(user.read(unit)).toBeNull();
    expect(user.read('.pi-ledger/install.json')).toBeNull();
    expect(user.read('systemctl.log')).toMatch(/disable --now pi-ledger\.service\n.*reload\n$/);
    expect((await user.run(null, 'uninstall', '--yes')).code).toBe(0);
  });

  it('rewrites a unit of an earlier init that runs another program', async () => {
    const user = await userWithSystemd();
    await user.run(['n', '', 'n', ''], 'init');
    const before = user.read(unit) ?? '';
    user.write(unit, before.replace(/ExecStart=.*/, 'ExecStart="/gone/node" "start"'));
    expect(await user.run(['n', 'n', ''], 'init')).toMatchObject({ code: 0 });
    expect(user.read(unit)).toBe(before);
  });

  it('leaves a unit alone that somebody else wrote', async () => {
    const user = await userWithSystemd();
    user.write(unit, '[Unit]\n');
    const { code, said } = await user.run(['n', 'n', 'n', 'n'], 'init');
    expect(code).toBe(0);
    expect(said).toMatch(/^service .*pi-ledger\.service is not from init, so it is left alone$/m);
    await user.run(null, 'uninstall', '--yes');
    expect(user.read(unit)).toBe('[Unit]\n');
  });

  it('says what failed when the service does not start, and uninstall removes it', async () => {
    const user = await userWithSystemd();
    const failing = 'if [ "$2" = restart ]; then echo "Unit is masked." >&2; exit 1; fi\n';
    user.program('systemctl', failing + systemctl);
    const { code, said } = await user.run(['n', 'n', '', 'n'], 'init');
    expect(code).toBe(1);
    expect(said).toContain('service    warning: not started as pi-ledger: Unit is masked.');
    await user.run(null, 'uninstall', '--yes');
    expect(user.read(unit)).toBeNull();
  });

  it('names settings of the shell that the service does not get, not their values', async () => {
    const user = await userWithSystemd();
    user.env.PI_LEDGER_TOKEN = 'secret-token';
    user.env.PI_CODING_AGENT_DIR = join(user.home, '.pi/agent');
    const { said } = await user.run(['n', 'n', ''], 'init');
    expect(said).toContain('it does not get PI_LEDGER_TOKEN of this shell');
    expect(user.read(unit)).not.toContain('secret-token');
    expect(user.read(unit)).toContain('Environment="PI_CODING_AGENT_DIR=');
    await user.run(null, 'uninstall', '--yes');
  });

  it('have a service for each home', async () => {
    const user = await userWithSystemd();
    user.env.PI_LEDGER_HOME = join(user.home, 'other');
    user.write('other/config.json', user.read('.pi-ledger/config.json') ?? '');
    const { said } = await user.run(null, 'init', '--dry-run');
    expect(said).toMatch(/would write \S.*\/pi-ledger-[0-9a-f]{8}\.service and start it/);
  });
});

const none = async () => ({ isGood: true, lastLine: '' });
const program = {
  service: 'pi-ledger',
  command: ['/a b/node%1 $x', '/c "d"/e\\f & <$g>', 'start'],
  environment: { PI_LEDGER_HOME: '/h i%j"k' },
};

describe('the unit of systemd', () => {
  it('survives spaces, quotes, percents and dollars', () => {
    expect(systemd('/config', none).textOf(program)).toBe(
      [
        '# Written by `pi-ledger init`; `pi-ledger uninstall` removes it.',
        '[Unit]',
        'Description=pi-ledger: the collector',
        '',
        '[Service]',
        'ExecStart="/a b/node%%1 $x" "/c \\"d\\"/e\\\\f & <$$g>" "start"',
        'Environment="PI_LEDGER_HOME=/h i%%j\\"k"',
        'Restart=on-failure',
        'RestartSec=5',
        'UMask=0077',
        '',
        '[Install]',
        'WantedBy=default.target',
        '',
      ].join('\n'),
    );
  });

  it('is not written for a path that systemd takes from nobody', () => {
    const manager = systemd('/config', none);
    for (const path of ['/a"b', "/a'b", '/a\nb'])
      expect(manager.textOf({ ...program, command: [path] })).toBeNull();
    const environment = { PI_LEDGER_HOME: '/a\nExecStart=/bin/false' };
    expect(manager.textOf({ ...program, environment })).toBeNull();
  });

  it.skipIf(spawnSync('systemd-analyze', ['--version']).error !== undefined)(
    'is one that systemd itself accepts',
    () => {
      const folder = join(directory, 'with % and $x');
      mkdirSync(folder);
      symlinkSync(process.execPath, join(folder, 'node'));
      const command = [join(folder, 'node'), '/c "d"/e\\f', 'start'];
      const file = join(directory, 'checked.service');
      writeFileSync(file, systemd('/', none).textOf({ ...program, command }) ?? '');
      const env = { ...process.env, XDG_RUNTIME_DIR: directory };
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--user', file], {
        env,
        encoding: 'utf8',
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    },
  );
});

describe('the agent of launchd', () => {
  it.skipIf(spawnSync('python3', ['--version']).error !== undefined)(
    'is a property list that says the same',
    () => {
      const read = 'plistlib.loads(sys.stdin.buffer.read())';
      const json = execFileSync(
        'python3',
        ['-c', `import json, plistlib, sys; print(json.dumps(${read}))`],
        { input: launchd('/Users/ada', 501, none).textOf(program) ?? '', encoding: 'utf8' },
      );
      expect(JSON.parse(json)).toEqual({
        Label: 'pi-ledger',
        ProgramArguments: program.command,
        EnvironmentVariables: program.environment,
        RunAtLoad: true,
        KeepAlive: { SuccessfulExit: false },
        Umask: 0o77,
      });
    },
  );

  it('escapes what is markup in XML', () => {
    const text = launchd('/Users/ada', 501, none).textOf(program) ?? '';
    expect(text).toContain('<string>/c "d"/e\\f &amp; &lt;$g&gt;</string>');
    const environment = { PI_LEDGER_HOME: '/a\u0000b' };
    expect(launchd('/Users/ada', 501, none).textOf({ ...program, environment })).toBeNull();
  });

  it('is taken anew by launchd if it knows it already', async () => {
    const told: string[] = [];
    const run = async (...words: readonly string[]) => {
      told.push(words.slice(1).join(' '));
      return { isGood: true, lastLine: '' };
    };
    const manager = launchd('/Users/ada', 501, run);
    const file = '/Users/ada/Library/LaunchAgents/pi-ledger.plist';
    expect(manager.fileOf('pi-ledger')).toBe(file);
    expect(await manager.start('pi-ledger')).toBeNull();
    expect(told).toEqual([
      'print gui/501/pi-ledger',
      'bootout gui/501/pi-ledger',
      `bootstrap gui/501 ${file}`,
    ]);
  });
});

it.each([
  ['linux', 'systemd'],
  ['darwin', 'launchd'],
  ['win32', undefined],
] as const)('%s has %s', (platform, name) => {
  expect(findManager({ HOME: '/home/ada' }, platform)?.name).toBe(name);
});
