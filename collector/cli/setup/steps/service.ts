/** The collector in the background, by the machine's own manager of services. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isPassing, ownProgram } from '../../../process/own-command.ts';
import { ownLine } from '../../own-line.ts';
import { version } from '../../version.ts';
import { runProgram } from '../run-program.ts';
import { findManager } from '../service/find-manager.ts';
import type { ServiceManager, ServiceProgram } from '../service/manager.ts';
import { serviceProgram, settingsNotPassedOn } from '../service/program.ts';
import type { Setup, SetupStep } from '../task.ts';
import { collectorUrl } from '../wait-for-collector.ts';

export const installService: SetupStep = async (setup) => {
  const { config, terminal, record, say } = setup;
  if (config.url !== null) {
    say('service', `none here, since the settings name the collector at ${config.url}`);
    return [];
  }
  const byHand = `by hand: ${ownLine(terminal, 'start')}`;
  const manager = findManager(terminal.env);
  const lack = manager === null ? 'no systemd and no launchd here' : await manager.lack();
  if (manager === null || lack !== null) {
    say('service', `not possible here (${lack})`);
    say('', `start the collector ${byHand}`);
    return [];
  }
  const copy = isPassing(ownProgram()) ? join(config.home, 'app') : null;
  const program = serviceProgram(config.home, terminal.env, copy);
  const file = manager.fileOf(program.service);
  const text = manager.textOf(program);
  if (text === null) {
    say(
      'service',
      `no service can name ${program.command.join(' ')}; start the collector ${byHand}`,
    );
    return [];
  }
  const own = record.done().service?.file === file;
  if (existsSync(file) && !own) {
    say('service', `${file} is not from init, so it is left alone`);
    return [];
  }
  const isSame = existsSync(file) && readFileSync(file, 'utf8') === text;
  if (isSame && (await manager.isRunning(program.service))) {
    say('service', `runs in the background as ${program.service} (${manager.name})`);
    return [];
  }
  const running = await collectorUrl(config, 0);
  if (running !== null && !own) {
    say('service', `a collector runs at ${running}: stop it and run init again for a service`);
    return [];
  }
  return [
    {
      topic: 'service',
      would: `write ${file} and start it (${manager.name})`,
      question: `run the collector in the background, from each login on (${manager.name})?`,
      refused: `none; start the collector ${byHand}`,
      act: async () =>
        (copy === null || (await keepCopy(copy, setup))) &&
        begin({ manager, program, file, text }, setup),
    },
  ];
};

interface Service {
  readonly manager: ServiceManager;
  readonly program: ServiceProgram;
  readonly file: string;
  readonly text: string;
}

async function begin(
  { manager, program, file, text }: Service,
  { config, terminal, record, say, warn }: Setup,
): Promise<boolean> {
  const { service } = program;
  record.note({ service: { manager: manager.name, name: service, file } });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o600 });
  const failed = await manager.start(service);
  if (failed !== null) {
    warn('service', `not started as ${service}: ${failed}`);
    return false;
  }
  if ((await collectorUrl(config)) === null) {
    warn('service', `started, but no collector answers: ${manager.logsOf(service)}`);
    return false;
  }
  say('service', `runs as ${service}; uninstall stops it and removes ${file}`);
  const lost = settingsNotPassedOn(terminal.env);
  if (lost.length > 0)
    warn('service', `it does not get ${lost.join(', ')} of this shell: use config.json`);
  return true;
}

async function keepCopy(copy: string, { terminal, record, say, warn }: Setup): Promise<boolean> {
  record.note({ copy });
  mkdirSync(copy, { recursive: true, mode: 0o700 });
  const command = ['npm', 'install', '--prefix', copy, '--no-audit', '--no-fund'];
  const ended = await runProgram([...command, `@pi-ledger/collector@${version}`], {
    env: terminal.env,
    cwd: copy,
    onLine: (line) => say('', line),
  });
  if (ended.code !== 0) warn('service', `npm could not put a copy into ${copy}`);
  else say('copy', `${version} in ${copy}, for the service; uninstall removes it`);
  return ended.code === 0;
}
