/** Which program a service of this home runs, and what it is called. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isPassing, ownProgram } from '../../../process/own-command.ts';
import type { ServiceProgram } from './manager.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the sessions are may stand in the environment; settings belong into `config.json`. */
const passedOn = ['PI_CODING_AGENT_DIR', 'PI_CODING_AGENT_SESSION_DIR', 'PI_CONFIG_DIR'];

/** One for each home: `pi-ledger`, or `pi-ledger-1f2e3d4c` for another than the usual. */
export function serviceName(home: string, env: Environment): string {
  if (home === join(env.HOME || homedir(), '.pi-ledger')) return 'pi-ledger';
  return `pi-ledger-${createHash('sha256').update(home).digest('hex').slice(0, 8)}`;
}

/** `copy`: the folder with a lasting copy of this package; null: it lasts where it is. */
export function serviceProgram(
  home: string,
  env: Environment,
  copy: string | null,
): ServiceProgram {
  const service = serviceName(home, env);
  const words = [lastingNode(process.execPath), ownProgram()];
  const kept = words.map((path) => (copy === null ? path : inCopy(path, copy)));
  const variables = passedOn.flatMap((name) => (env[name] ? [[name, env[name]] as const] : []));
  const ownHome = service === 'pi-ledger' ? [] : [['PI_LEDGER_HOME', home] as const];
  return {
    service,
    command: [...kept, 'start'],
    environment: Object.fromEntries([...ownHome, ...variables]),
  };
}

/** Variables that a service does not get: they may be secret, and `config.json` can have them. */
export function settingsNotPassedOn(env: Environment): readonly string[] {
  return Object.keys(env).filter(
    (name) => /^(PI_LEDGER_(?!HOME$)|OTEL_)/.test(name) && env[name] !== '',
  );
}

/** The same file below the copy's `node_modules`; a path elsewhere stays. */
export function inCopy(path: string, copy: string): string {
  if (!isPassing(path)) return path;
  return path.replace(/^.*?[\\/](_npx|dlx[^\\/]*|bunx-[^\\/]+)[\\/].*?node_modules/, () =>
    join(copy, 'node_modules'),
  );
}

/** Homebrew's link outlasts an update, the folder that it points to does not. */
export function lastingNode(path: string): string {
  const link = path.replace(/[\\/]Cellar[\\/]([^\\/]+)[\\/][^\\/]+[\\/]/, '/opt/$1/');
  return existsSync(link) ? link : path;
}
