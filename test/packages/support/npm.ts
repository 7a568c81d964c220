/**
 * npm as on a new user's machine: isolated from the checkout and from the `npm run` that started
 * the tests.
 */
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const npmMsMax = 10 * 60_000;

/** This machine's access to its registry and npm cache: its settings apply with any home. */
export function npmEnvironment(): Readonly<Record<string, string>> {
  const kept = Object.entries(process.env).filter(([key]) => !foreign.test(key));
  const settings = ['registry', 'cache'].map((key) => [`npm_config_${key}`, configured(key)]);
  const quiet = {
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    ...Object.fromEntries(settings),
    ...quiet,
  };
}

/** Variables of an outer `npm run`, of the test runner, of the agents and of the ledger. */
const foreign = new RegExp(
  [
    '^npm_(?!config_)',
    '^npm_config_(userconfig|prefix|local_prefix|workspaces?|include_workspace_root)$',
    '^(INIT_CWD|NODE_ENV|NODE_OPTIONS|NODE_COMPILE_CACHE)$',
    '^(PI_|VITEST)',
  ].join('|'),
  'i',
);

/** The PATH without the entries of `npm run`: the programs of a checkout. */
export function systemPath(): readonly string[] {
  return (process.env.PATH ?? '')
    .split(':')
    .filter((directory) => !/node_modules|node-gyp-bin/.test(directory));
}

/** Runs npm to its end in `cwd`. Rejects, with its output, if it fails. */
export async function npm(
  cwd: string,
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<string> {
  const { stdout } = await run('npm', [...args, '--loglevel=error'], {
    cwd,
    env,
    timeout: npmMsMax,
    maxBuffer: 16 << 20,
  });
  return stdout;
}

function configured(key: string): string {
  return execFileSync('npm', ['config', 'get', key, '--loglevel=error'], {
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim();
}
