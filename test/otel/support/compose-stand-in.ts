/**
 * What `docker compose` does for deploy/observability/start.sh, with programs of this machine: the
 * collector, promtool and the shell are real, containers and images are not. Its arguments are
 * noted in `calls`; the collector that it starts is in `pid`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../../collector/bin/pi-ledger.mjs', import.meta.url));
const { STAND_IN: directory = '', STAND_IN_PORT: port = '', PROMTOOL: promtool = '' } = process.env;
const home = join(directory, 'collector');
const data = join(directory, 'prometheus', 'data');
const env = {
  PATH: process.env.PATH ?? '',
  ...{ HOME: home, PI_LEDGER_HOME: home, PI_LEDGER_PORT: port },
  ...{ PI_LEDGER_AUTH: 'required', PI_LEDGER_IMPORT: '0' },
};

async function compose(args: readonly string[]): Promise<number | null> {
  const words = args.filter((word, at) => word !== '--profile' && args[at - 1] !== '--profile');
  const [does, ...rest] = words.filter(
    (word) => !['--rm', '-T', '--detach', '--wait'].includes(word),
  );
  const [service, ...command] = rest;
  if (does === 'up') return service === 'collector' ? startCollector() : startOther(service);
  if (does === 'run') return inherit(process.execPath, [bin, ...command]);
  if (service === 'collector') return inherit(process.execPath, [bin, ...command.slice(1)]);
  return inPrometheus(command.map((word) => word.replaceAll('/prometheus', data)));
}

function inPrometheus([program = '', ...args]: readonly string[]): number | null {
  if (program !== 'rm') return inherit(program === 'promtool' ? promtool : program, args);
  rmSync(args[0] ?? '');
  return 0;
}

function inherit(program: string, args: readonly string[]): number | null {
  return spawnSync(program, args, { env, stdio: 'inherit' }).status;
}

function startOther(service: string | undefined): number {
  if (service === 'prometheus') mkdirSync(data, { recursive: true });
  return 0;
}

async function startCollector(): Promise<number> {
  if (await isReady()) return 0;
  const said = openSync(join(directory, 'collector.log'), 'a');
  const child = spawn(process.execPath, [bin, 'start'], {
    env,
    detached: true,
    stdio: ['ignore', said, said],
  });
  writeFileSync(join(directory, 'pid'), String(child.pid));
  child.unref();
  while (!(await isReady())) await sleep(50);
  return 0;
}

function isReady(): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health/ready`).then(
    ({ status }) => status === 200,
    () => false,
  );
}

const [, ...args] = process.argv.slice(2);
appendFileSync(join(directory, 'calls'), `${args.join(' ')}\n`);
process.exitCode = (await compose(args)) ?? 1;
