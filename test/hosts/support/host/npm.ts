/** Runs npm for an install into the cache folder of the tests. */
import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { installTimeoutMs } from './install-once.ts';

const run = promisify(execFile);

export function npm(directory: string, ...args: readonly string[]) {
  const options = {
    cwd: directory,
    timeout: installTimeoutMs,
    env: installEnvironment(),
    maxBuffer: 16 << 20,
  };
  return run('npm', [...args, '--loglevel=error'], options);
}

/**
 * npm chooses versions, and runs install scripts, with the first `node` on the PATH: it must be
 * this one. Variables of an outer `npm run` and of the test runner must not reach them.
 */
function installEnvironment(): NodeJS.ProcessEnv {
  const foreign = new RegExp(
    '^npm_(?!config_)|^npm_config_(local_prefix|workspaces?|include_workspace_root)$|' +
      '^(INIT_CWD|NODE_OPTIONS)$',
    'i',
  );
  const kept = Object.entries(process.env).filter(([key]) => !foreign.test(key));
  return {
    ...Object.fromEntries(kept),
    PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
  };
}
